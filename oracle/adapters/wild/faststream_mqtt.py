"""FastStream's in-memory test broker for MQTT: the rule of TestMQTTBroker, which is zmqtt's."""

from adapter import serve
from faststream.mqtt.testing import mqtt_topic_matches

serve("faststream", "mqtt", "mqtt.testing.mqtt_topic_matches", str, mqtt_topic_matches)

"""fastapi-mqtt: the rule by which it calls the handlers of a topic."""

from adapter import serve
from fastapi_mqtt import FastMQTT

serve("fastapi-mqtt", "mqtt", "FastMQTT.match", str, lambda pattern, topic: FastMQTT.match(topic, pattern))

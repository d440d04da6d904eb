"""AWSIoTPythonSDK: the copy of an early paho `topic_matches_sub` that it carries."""

from adapter import serve
from AWSIoTPythonSDK.core.protocol.paho.client import topic_matches_sub

serve("AWSIoTPythonSDK", "mqtt", "core.protocol.paho.client.topic_matches_sub", str, topic_matches_sub)

"""paho-mqtt: `topic_matches_sub`, and the trie behind its per-topic callbacks as a set."""

from adapter import serve
from paho.mqtt.client import topic_matches_sub
from paho.mqtt.matcher import MQTTMatcher


class Callbacks:
    """The trie with the filter as its own value."""

    def __init__(self):
        self.trie = MQTTMatcher()

    def add(self, pattern):
        self.trie[pattern] = pattern

    def remove(self, pattern):
        try:
            del self.trie[pattern]
        except KeyError:
            pass  # not held: removing it changes nothing

    def ask(self, topic):
        return list(self.trie.iter_match(topic))


serve("paho-mqtt", "mqtt", "client.topic_matches_sub", str, topic_matches_sub, sets=Callbacks)

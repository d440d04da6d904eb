"""amqtt's broker, asked in memory: the rule by which it picks the subscribers of a topic."""

import logging
from types import SimpleNamespace

from adapter import serve
from amqtt.broker import Broker

# The rule reads nothing of the broker but its log.
BROKER = SimpleNamespace(logger=logging.getLogger("amqtt.silent"))

serve("amqtt", "mqtt", "broker.Broker._matches", str, lambda pattern, topic: Broker._matches(BROKER, topic, pattern))

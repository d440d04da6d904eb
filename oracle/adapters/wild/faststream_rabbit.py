"""FastStream's in-memory test broker for RabbitMQ: the rule of TestRabbitBroker for topic exchanges."""

from adapter import serve
from faststream.rabbit.testing import apply_pattern

serve("faststream", "rabbitmq", "rabbit.testing.apply_pattern", str, apply_pattern)

"""kombu's virtual topic exchange: what Celery's in-memory, Redis and SQS transports route by."""

from adapter import serve
from kombu.transport.virtual.exchange import TopicExchange

EXCHANGE = TopicExchange(None)


class Bindings:
    """Bindings of one exchange, as the virtual channel keeps them: a table of entries."""

    def __init__(self):
        self.table = []

    def add(self, pattern):
        entry = EXCHANGE.prepare_bind(pattern, "topics", pattern, {})
        if entry not in self.table:
            self.table.append(entry)

    def remove(self, pattern):
        self.table = [entry for entry in self.table if entry[0] != pattern]

    def ask(self, key):
        return sorted(EXCHANGE.lookup(self.table, "topics", key, None))


serve(
    "kombu",
    "rabbitmq",
    "virtual.exchange.TopicExchange.lookup",
    lambda pattern: [EXCHANGE.prepare_bind("queue", "topics", pattern, {})],
    lambda table, key: "queue" in EXCHANGE.lookup(table, "topics", key, None),
    sets=Bindings,
)

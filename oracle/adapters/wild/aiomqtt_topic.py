"""aiomqtt: `Topic.matches`, which also says what a topic and a wildcard may be."""

from adapter import Refused, serve
from aiomqtt import Topic, Wildcard


def prepare(pattern):
    try:
        return Wildcard(pattern)
    except ValueError:
        raise Refused("p") from None


def matches(wildcard, text):
    try:
        topic = Topic(text)
    except ValueError:
        raise Refused("s") from None
    return topic.matches(wildcard)


def valid(text, side):
    try:
        (Wildcard if side == "p" else Topic)(text)
        return True
    except ValueError:
        return False


serve("aiomqtt", "mqtt", "Topic.matches", prepare, matches, valid)

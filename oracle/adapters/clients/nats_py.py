"""Runs the probe on stdin through nats-py, as its users use it, and tells on stdout what was seen.

One JSON object in (`url`, `steps`), one out (`library`, `arrived`, `conns`, `transcript`; or `unsupported`, `lost`).
Must never write a byte past the library, and never take a passing of time for "it did not arrive": `flush` is the fence,
what was sent before its PONG has been handed to the subscriptions.
"""

import asyncio
import importlib.metadata
import json
import sys

import nats.errors
from nats.aio.client import Client

PATIENCE = 20
ROOM = 1 << 17


class Unsupported(Exception):
    pass


class Run:
    def __init__(self, url):
        self.url = url
        self.links, self.told, self.subs, self.owners = {}, {}, {}, {}
        self.arrived, self.transcript = {}, []

    def note(self, conn, what):
        self.transcript.append(f"{conn} . {what}")

    async def call(self, conn, what, coroutine):
        """What the library raises before the server could answer is its refusal."""
        try:
            result = await coroutine
        except Exception as error:  # whatever it is, it is what the user gets
            words = f"{type(error).__name__}: {error}"
            self.note(conn, f"{what} raised {words}")
            self.told[conn]["refusals"].append(words)
            return None
        self.note(conn, f"{what} returned")
        return result

    async def connect(self, conn, verbose=False, pedantic=False, **_):
        told = self.told[conn] = {"closed": False, "errors": [], "refusals": []}

        async def error(error):
            told["errors"].append(str(error))

        async def closed():
            if not told["closed"] and client.last_error:
                told["errors"].append(str(client.last_error))
            told["closed"] = True

        client = self.links[conn] = Client()
        # Reconnected it would be a new client: what comes then says nothing about the old one.
        await client.connect(
            self.url,
            allow_reconnect=False,
            connect_timeout=PATIENCE,
            error_cb=error,
            disconnected_cb=closed,
            closed_cb=closed,
            verbose=verbose,
            pedantic=pedantic,
        )
        self.note(conn, "connect() returned")

    async def sub(self, conn, pattern, id, queue=None):
        async def take(message):
            self.note(id, f"message on {message.subject!r}, {len(message.data)} bytes")
            self.arrived.setdefault(id, []).append(told(message))

        subscribe = self.links[conn].subscribe(
            pattern, queue=queue or "", cb=take, pending_msgs_limit=ROOM, pending_bytes_limit=-1
        )
        subscription = await self.call(conn, f"subscribe({pattern!r})", subscribe)
        if subscription is not None:
            self.subs[id], self.owners[id] = subscription, conn
        await self.settle(conn)

    async def unsub(self, conn, id):
        await self.settle(conn)
        subscription = self.subs.pop(id, None)
        if subscription is not None:
            await self.call(conn, f"unsubscribe({id})", subscription.unsubscribe())
        await self.settle(conn)

    async def pub(self, conn, subject, reply=None, headers=(), size=0, times=1):
        # A dictionary is what the library takes: one value a name.
        headers = dict(headers) or None
        for _ in range(times):
            publish = self.links[conn].publish(subject, b"x" * size, reply=reply or "", headers=headers)
            await self.call(conn, f"publish({subject!r}, {size} bytes)", publish)
        await self.settle(conn)

    async def request(self, conn, subject, id):
        try:
            message = await self.links[conn].request(subject, b"", timeout=PATIENCE)
            self.note(conn, f"request({subject!r}) returned")
            self.arrived.setdefault(id, []).append(told(message))
        except nats.errors.NoRespondersError as error:
            self.note(conn, f"request({subject!r}) raised {error}")
            self.arrived.setdefault(id, []).append({"subject": "", "headers": [], "size": 0, "status": 503})

    async def send(self, **_):
        raise Unsupported("a client library sends no raw bytes")

    async def close(self, conn):
        await self.settle(conn)
        for id in [id for id, owner in self.owners.items() if owner == conn]:
            self.subs.pop(id, None)
        before = dict(self.told[conn])
        await self.links.pop(conn).close()
        self.told[conn] = before

    async def settle(self, conn):
        client = self.links.get(conn)
        if client is None or client.is_closed or self.told[conn]["closed"]:
            return
        try:
            await client.flush(timeout=PATIENCE)
        except (nats.errors.ConnectionClosedError, nats.errors.FlushTimeoutError):
            # Only a connection that is over may leave a flush without its answer.
            await asyncio.sleep(0)
            if not (client.is_closed or self.told[conn]["closed"]):
                raise
        # Messages and errors are told by tasks of their own.
        while any(self.waiting(conn)) and not self.told[conn]["closed"]:
            await asyncio.sleep(0)
        await asyncio.sleep(0.005)
        while client.is_closed and not self.told[conn]["closed"]:
            await asyncio.sleep(0.001)

    def waiting(self, conn):
        return (sub.pending_msgs > 0 for id, sub in self.subs.items() if self.owners[id] == conn)

    async def fence(self):
        for _ in range(2):
            for conn in list(self.links):
                await self.settle(conn)


def told(message):
    headers = [f"{name}: {value}" for name, value in (message.headers or {}).items()]
    return {"subject": message.subject, "reply": message.reply or None, "headers": headers, "size": len(message.data)}


async def main(probe):
    run = Run(probe["url"])
    try:
        for step in probe["steps"]:
            await getattr(run, step.pop("do"))(**step)
        await run.fence()
    except Unsupported as why:
        return {"unsupported": str(why)}
    except Exception as why:
        return {"lost": f"{type(why).__name__}: {why}"}
    for conn, conn_told in run.told.items():
        run.transcript += [f"{conn} . error: {words}" for words in conn_told["errors"]]
    library = f"nats-py {importlib.metadata.version('nats-py')}"
    return {"library": library, "arrived": run.arrived, "conns": run.told, "transcript": run.transcript}


print(json.dumps(asyncio.run(main(json.load(sys.stdin)))))

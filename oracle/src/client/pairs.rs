//! The loop that people write: one pair at a time through async-nats, with a fence. The benches compare with it.
//!
//! Must never batch: that it asks one pair and waits is the point.

use async_nats::{Client, ConnectOptions};
use futures_util::{FutureExt as _, StreamExt as _};
use wildcheck_tables::Operand;

/// Asks each `(pattern, subject)` of a server at `address` (`127.0.0.1:4222`): subscribe, publish, publish to an inbox
/// of our own and wait for that, look whether the message is there, unsubscribe. One verdict a pair, in order.
///
/// # Errors
/// The library's own words: no connection, an operand that is no UTF-8, a connection that was closed.
pub fn one_at_a_time(address: &str, pairs: &[(Operand, Operand)]) -> Result<Vec<bool>, String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|e| e.to_string())?;
    runtime.block_on(async {
        let client = ConnectOptions::new().connect(address).await.map_err(|e| e.to_string())?;
        let mut verdicts = Vec::with_capacity(pairs.len());
        let inbox = client.new_inbox();
        let mut fence = client.subscribe(inbox.clone()).await.map_err(|e| e.to_string())?;
        for (pattern, subject) in pairs {
            verdicts.push(one(&client, &inbox, &mut fence, pattern, subject).await?);
        }
        Ok(verdicts)
    })
}

async fn one(
    client: &Client,
    inbox: &str,
    fence: &mut async_nats::Subscriber,
    pattern: &Operand,
    subject: &Operand,
) -> Result<bool, String> {
    let text = |operand: &Operand| String::from_utf8(operand.0.clone()).map_err(|e| e.to_string());
    let mut subscription = client.subscribe(text(pattern)?).await.map_err(|e| e.to_string())?;
    client.publish(text(subject)?, "x".into()).await.map_err(|e| e.to_string())?;
    client.publish(inbox.to_owned(), "!".into()).await.map_err(|e| e.to_string())?;
    fence.next().await.ok_or("the connection was closed")?;
    // The server answers in order: what the fence found missing will not come, and what came first is not the fence,
    // which `*.*` and its kind receive as well.
    let first = tokio::task::unconstrained(subscription.next()).now_or_never().flatten();
    let delivered = first.is_some_and(|message| message.payload == "x");
    subscription.unsubscribe().await.map_err(|e| e.to_string())?;
    Ok(delivered)
}

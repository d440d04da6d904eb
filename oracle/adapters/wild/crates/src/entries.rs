//! One entry a crate: how its own matcher is asked. Must never mend what the crate says.

use celers_core::router::TopicPattern;
use mqtt::{TopicFilter, TopicNameRef};
use mqtt_topic_engine::{CacheStrategy, QoS, TopicPath, TopicPatternPath, TopicRouter};
use topiq_broker::trie::TopicTrie;
use topiq_core::{Subject, SubscriptionId};

/// A pattern made ready: takes a subject, or refuses it.
type Prepared = Box<dyn Fn(&str) -> Option<bool>>;

/// A crate's matcher.
pub struct Entry {
    /// The crate.
    pub package: &'static str,
    /// The language that it says it matches.
    pub dialect: &'static str,
    /// What of it is asked.
    pub entry: &'static str,
    /// Makes a pattern ready, or refuses it.
    pub prepare: fn(&str) -> Option<Prepared>,
    /// Where the crate has a rule for operands: may this be a pattern, may this be a subject?
    pub valid: Option<[fn(&str) -> bool; 2]>,
}

/// The crates.
pub const ENTRIES: &[Entry] = &[
    Entry {
        package: "mqttbytes",
        dialect: "mqtt",
        entry: "matches, behind valid_filter and valid_topic as its documentation asks",
        prepare: |pattern| {
            let filter = pattern.to_owned();
            mqttbytes::valid_filter(pattern).then(|| -> Prepared {
                Box::new(move |topic| mqttbytes::valid_topic(topic).then(|| mqttbytes::matches(topic, &filter)))
            })
        },
        valid: Some([mqttbytes::valid_filter, mqttbytes::valid_topic]),
    },
    Entry {
        package: "mqtt-protocol",
        dialect: "mqtt",
        entry: "TopicFilterMatcher::is_match",
        prepare: |pattern| {
            let filter = TopicFilter::new(pattern).ok()?;
            Some(Box::new(move |topic| Some(filter.get_matcher().is_match(TopicNameRef::new(topic).ok()?))))
        },
        valid: Some([|text| TopicFilter::new(text).is_ok(), |text| TopicNameRef::new(text).is_ok()]),
    },
    Entry {
        package: "mqtt-topic-engine",
        dialect: "mqtt",
        entry: "TopicRouter::get_subscribers",
        prepare: |pattern| {
            let mut router = TopicRouter::new();
            let pattern = TopicPatternPath::new_from_string(pattern, CacheStrategy::NoCache).ok()?;
            router.add_subscription(pattern, QoS::AtMostOnce, ());
            Some(Box::new(move |topic| Some(!router.get_subscribers(&TopicPath::new(topic).ok()?).is_empty())))
        },
        valid: Some([
            |text| TopicPatternPath::new_from_string(text, CacheStrategy::NoCache).is_ok(),
            |text| TopicPath::new(text).is_ok(),
        ]),
    },
    Entry {
        package: "celers-core",
        dialect: "rabbitmq",
        entry: "router::TopicPattern::matches",
        prepare: |pattern| {
            let pattern = TopicPattern::new(pattern);
            Some(Box::new(move |key| Some(pattern.matches(key))))
        },
        valid: None,
    },
    Entry {
        package: "topiq-broker",
        dialect: "nats",
        entry: "trie::TopicTrie::matches, behind topiq-core's Subject",
        prepare: |pattern| {
            let mut trie = TopicTrie::new();
            trie.insert(Subject::new(pattern).ok()?.as_str(), SubscriptionId(1));
            Some(Box::new(move |text| Some(!trie.matches(Subject::new(text).ok()?.as_str()).is_empty())))
        },
        valid: Some([|text| Subject::new(text).is_ok(), |text| Subject::new(text).is_ok()]),
    },
];

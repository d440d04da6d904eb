//! The schema of a record line against what is really written.

use wildcheck_reports::{Format, render};

use crate::everything::{events, lines, summary};

fn schema() -> jsonschema::Validator {
    let schema: serde_json::Value = serde_json::from_str(include_str!("../../record.schema.json")).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

#[test]
fn every_event_fits_the_schema() {
    let schema = schema();
    for event in events() {
        let value = serde_json::to_value(&event).unwrap();
        let errors: Vec<String> = schema.iter_errors(&value).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{}: {errors:?}", event.kind());
    }
}

#[test]
fn an_event_without_one_of_its_fields_or_of_another_kind_does_not_fit_the_schema() {
    let schema = schema();
    for event in events() {
        let value = serde_json::to_value(&event).unwrap();
        for field in value.as_object().unwrap().keys() {
            // Fields that may be absent.
            if ["fail_on", "kept", "pile", "witness", "right"].contains(&field.as_str()) {
                continue;
            }
            let mut less = value.clone();
            less.as_object_mut().unwrap().remove(field);
            assert!(!schema.is_valid(&less), "{} without {field}", event.kind());
            let mut other = value.clone();
            other[field] = serde_json::json!({ "no": "such" });
            assert!(!schema.is_valid(&other), "{} with another {field}", event.kind());
        }
    }
    assert!(!schema.is_valid(&serde_json::json!({ "event": "party" })));
}

/// Where an object sits in another: `/oracles/0`, `/answers/1/pattern`.
fn objects(value: &serde_json::Value, at: &str, found: &mut Vec<String>) {
    match value {
        serde_json::Value::Object(fields) => {
            found.push(at.to_owned());
            fields.iter().for_each(|(name, field)| objects(field, &format!("{at}/{name}"), found));
        }
        serde_json::Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| objects(item, &format!("{at}/{index}"), found));
        }
        _ => {}
    }
}

#[test]
fn the_objects_inside_an_event_are_held_to_the_schema_too() {
    // Fields that may be absent.
    let optional = ["version", "commit", "remarks", "pattern", "subject", "delivered", "words"];
    let schema = schema();
    let mut held = 0;
    for event in events() {
        let value = serde_json::to_value(&event).unwrap();
        let mut inside = Vec::new();
        objects(&value, "", &mut inside);
        for at in inside.iter().filter(|at| !at.is_empty()) {
            for field in value.pointer(at).unwrap().as_object().unwrap().keys() {
                let mut other = value.clone();
                other.pointer_mut(at).unwrap()[field] = serde_json::json!({ "no": "such" });
                assert!(!schema.is_valid(&other), "{} with another {at}/{field}", event.kind());
                let mut less = value.clone();
                less.pointer_mut(at).unwrap().as_object_mut().unwrap().remove(field);
                // A refereed pair has its operands always, an answer only where a live oracle was asked.
                let refereed = at.starts_with("/pairs/") && at.matches('/').count() == 2;
                assert_eq!(
                    schema.is_valid(&less),
                    optional.contains(&&**field) && !refereed,
                    "{} without {at}/{field}",
                    event.kind()
                );
                held += 1;
            }
        }
    }
    assert!(held > 50, "{held}");
}

#[test]
fn a_badge_fits_the_schema_of_an_endpoint_badge() {
    let schema: serde_json::Value = serde_json::from_str(include_str!("../../badge.schema.json")).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    for events in [events(), Vec::new()] {
        let badge = render(&summary(&lines(&events)), Format::BadgeJson).unwrap();
        assert!(schema.is_valid(&serde_json::from_str(&badge).unwrap()), "{badge}");
    }
    assert!(!schema.is_valid(&serde_json::json!({ "schemaVersion": 1, "label": "wildcheck" })));
}

//! The schema of a record line against what is really written.

use crate::everything::events;

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
            if ["kept", "pile", "witness", "right"].contains(&field.as_str()) {
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

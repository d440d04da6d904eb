//! Everything that is tested through the crate's door, in one binary so that it links once.

mod adequacy;
mod arrows;
mod audit;
#[path = "../../../oracle/tests/it/built.rs"]
mod built;
mod cli_across;
mod cli_configured;
mod cli_exit;
mod cli_image;
mod cli_judge;
mod cli_live;
mod cli_mqtt;
mod cli_offline;
mod cli_proxy;
mod cli_rabbitmq;
mod cli_recorded;
mod cli_redis;
mod cli_report;
mod cli_support;
mod engine_campaign;
mod engine_mutants;
mod engine_scope;
mod engine_support;
mod matrix;
mod outside;
mod targets;
mod wild;

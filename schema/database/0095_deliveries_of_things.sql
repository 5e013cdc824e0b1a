-- Deliveries about one thing, for its page. Those about a customer's messages are found by their subject.
create index webhook_events_source on webhook_events (source_id, environment_id, id) where source_type <> 'message';

-- Who may play nothing any more, by whom and why.
ALTER TABLE workers ADD COLUMN barred_ms BIGINT;
ALTER TABLE workers ADD COLUMN barred_by TEXT;
ALTER TABLE workers ADD COLUMN barred_why TEXT

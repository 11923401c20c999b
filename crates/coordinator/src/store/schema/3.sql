CREATE INDEX leases_by_pace ON leases (worker, test, granted_ms);
CREATE INDEX leases_with_trouble ON leases (worker, granted_ms) WHERE trouble <> ''

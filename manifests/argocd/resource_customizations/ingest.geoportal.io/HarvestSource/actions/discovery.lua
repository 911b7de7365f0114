local held = obj.metadata.annotations ~= nil and obj.metadata.annotations["ingest.geoportal.io/paused"] ~= nil

local actions = {}
actions["run-now"] = { ["disabled"] = false }
actions["pause"] = { ["disabled"] = held }
-- A spec.suspend is ended in Git.
actions["resume"] = { ["disabled"] = not held }
return actions

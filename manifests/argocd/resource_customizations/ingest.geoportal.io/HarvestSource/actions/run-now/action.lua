-- Another value is one run at once.
local os = require("os")
if obj.metadata.annotations == nil then
  obj.metadata.annotations = {}
end
obj.metadata.annotations["ingest.geoportal.io/requestedAt"] = os.date("!%Y-%m-%dT%H:%M:%SZ")
return obj

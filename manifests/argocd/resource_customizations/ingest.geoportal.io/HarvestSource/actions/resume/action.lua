if obj.metadata.annotations ~= nil then
  obj.metadata.annotations["ingest.geoportal.io/paused"] = nil
  obj.metadata.annotations["ingest.geoportal.io/paused-until"] = nil
end
return obj

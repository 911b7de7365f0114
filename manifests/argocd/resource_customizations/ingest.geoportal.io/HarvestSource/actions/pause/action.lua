-- The brake: no drift, because spec stays as delivered. Whoever wants to say why uses harvestctl pause.
if obj.metadata.annotations == nil then
  obj.metadata.annotations = {}
end
obj.metadata.annotations["ingest.geoportal.io/paused"] = "Paused in Argo CD"
return obj

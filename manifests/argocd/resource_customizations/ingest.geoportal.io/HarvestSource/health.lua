-- Ready is accepted and scheduled. A source that cannot be harvested right now degrades no application: what the agency
-- answers stands in the message, in metrics and in alerts.
local status = obj.status or {}
local found = {}
for _, condition in ipairs(status.conditions or {}) do
  found[condition.type] = condition
end

local function holds(kind, wanted)
  return found[kind] ~= nil and found[kind].status == wanted
end

local function said(kind, otherwise)
  if found[kind] ~= nil and found[kind].message ~= nil and found[kind].message ~= "" then
    return found[kind].message
  end
  return otherwise
end

if status.observedGeneration == nil or status.observedGeneration ~= obj.metadata.generation then
  return { status = "Progressing", message = "The harvest controller has not looked at this version yet." }
end
if holds("Reconciling", "True") then
  return { status = "Progressing", message = said("Reconciling", "Its schedule is being installed.") }
end
if holds("Stalled", "True") then
  return { status = "Degraded", message = said("Stalled", "The manifest cannot be used.") }
end
if holds("Ready", "False") then
  return { status = "Degraded", message = said("Ready", "It is not scheduled.") }
end
if holds("Paused", "True") then
  return { status = "Suspended", message = said("Paused", "It is held.") }
end
if not holds("Ready", "True") then
  return { status = "Progressing", message = "The harvest controller has not looked at this version yet." }
end

local message = said("Ready", "Scheduled.")
for _, kind in ipairs({ "LastRunSucceeded", "Fresh" }) do
  if holds(kind, "False") then
    message = message .. " " .. said(kind, kind .. " is false.")
    break
  end
end
return { status = "Healthy", message = message }

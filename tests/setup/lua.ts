/** Lua scripts as Argo CD runs them: Lua 5.1, with `obj` and hardly a library. Uses the lua that is installed. */
import { execFileSync } from "node:child_process";

/** The clock of every script. */
export const luaNow = "2026-11-30T12:00:00Z";

const programs = ["lua5.1", "luajit", "lua", "lua5.4", "lua5.3"];
const howToGet = "install Lua (Debian: apt-get install lua5.1; macOS: brew install lua)";

/** Undefined, with one line said, when there is none; throws then if REQUIRE names `lua`. */
export function findLua(): string | undefined {
  const found = programs.find(runs);
  if (found !== undefined) return found;
  const sentence = `The scripts for Argo CD need Lua to be tested: ${howToGet}.`;
  if ((process.env["REQUIRE"] ?? "").split(",").includes("lua")) throw new Error(sentence);
  process.stderr.write(`Skipped: ${sentence}\n`);
  return undefined;
}

function runs(program: string): boolean {
  try {
    execFileSync(program, ["-v"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** What the script returns for the object. Throws with Lua's own message when it fails. */
export function runLua(program: string, script: string, obj: unknown): unknown {
  const text = `local given = ${literal(obj)}\nlocal script = ${quoted(script)}\n${driver}`;
  return JSON.parse(
    execFileSync(program, ["-"], { input: text, encoding: "utf8", stdio: ["pipe", "pipe", "pipe"] }),
  );
}

/** Everything outside ASCII as bytes, so that nothing depends on how Lua reads its input. */
function quoted(text: string): string {
  const bytes = [...Buffer.from(text)].map((byte) =>
    byte > 31 && byte < 127 && byte !== 34 && byte !== 92
      ? String.fromCharCode(byte)
      : `\\${String(byte).padStart(3, "0")}`,
  );
  return `"${bytes.join("")}"`;
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return "nil";
  if (typeof value === "string") return quoted(value);
  if (Array.isArray(value)) return `{${value.map(literal).join(",")}}`;
  if (typeof value === "object")
    return `{${Object.entries(value)
      .map(([key, item]) => `[${quoted(key)}]=${literal(item)}`)
      .join(",")}}`;
  return String(value as number | boolean);
}

/** The sandbox, and the result as JSON. A table with a first item is a list, as Argo CD takes it. */
const driver = `
local clock = { year = 2026, month = 11, day = 30, hour = 12, min = 0, sec = 0 }
local fields = { Y = "2026", m = "11", d = "30", H = "12", M = "00", S = "00" }
local os_of_the_script = {
  time = function() return os.time(clock) end,
  date = function(format) return (format:gsub("^!", ""):gsub("%%(%a)", fields)) end,
}
local env = {
  obj = given, ipairs = ipairs, pairs = pairs, next = next, type = type, tostring = tostring, tonumber = tonumber,
  error = error, assert = assert, pcall = pcall, select = select, table = table,
  require = function(name) assert(name == "os", "there is no library " .. name) return os_of_the_script end,
}
local chunk
if setfenv then
  chunk = assert(loadstring(script, "script"))
  setfenv(chunk, env)
else
  chunk = assert(load(script, "script", "t", env))
end
local function text(value)
  return '"' .. value:gsub('[%c"\\\\]', function(c) return string.format("\\\\u%04x", c:byte()) end) .. '"'
end
local function json(value)
  if type(value) == "string" then return text(value) end
  if type(value) == "number" then return string.format("%.14g", value) end
  if type(value) ~= "table" then return tostring(value) end
  local parts = {}
  if value[1] ~= nil then
    for _, item in ipairs(value) do parts[#parts + 1] = json(item) end
    return "[" .. table.concat(parts, ",") .. "]"
  end
  for key, item in pairs(value) do parts[#parts + 1] = text(key) .. ":" .. json(item) end
  return "{" .. table.concat(parts, ",") .. "}"
end
io.write(json(chunk()))
`;

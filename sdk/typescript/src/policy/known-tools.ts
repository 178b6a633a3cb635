// Tools that every agent calls the same: what `crates/agents/src/tool.rs` knows without knowing the agent. A name is
// believed only together with the argument that matters.

type Given = Readonly<Record<string, unknown>>;

const SHELLS = new Set([
  'Bash',
  'bash',
  'PowerShell',
  'powershell',
  'Shell',
  'shell',
  'run_shell_command',
  'shell_command',
  'execute_bash',
  'execute_command',
  'developer__shell',
]);
const EDITORS = new Set(['Edit', 'edit', 'edit_file', 'replace', 'str_replace']);
const PATCHERS = new Set(['edit', 'apply_patch']);
/** The line with which a patch of `apply_patch` begins the part about a file. */
const PATCHED_FILE = /^\s*\*\*\* (?:Add|Update|Delete) File: /m;
const WRITERS = new Set(['Write', 'write', 'write_file', 'create_file']);
const FETCHERS = new Set(['WebFetch', 'web_fetch', 'webfetch', 'fetch']);
const PATH = ['file_path', 'filePath', 'path', 'absolute_path'];
const BEFORE = ['old_string', 'oldString', 'old_str'];
const AFTER = ['new_string', 'newString', 'new_str'];

/** The call runs a command line. */
export function isShell(tool: string, args: Given): boolean {
  return SHELLS.has(tool) && isText(args, 'command');
}

/** The call writes a file or talks to the network, whatever is declared. */
export function isKnownToWrite(tool: string, args: Given): boolean {
  if (PATCHERS.has(tool) && Object.hasOwn(args, 'patch') && !PATH.some((name) => Object.hasOwn(args, name)))
    return isText(args, 'patch') && PATCHED_FILE.test(String(args['patch']));
  if (EDITORS.has(tool)) return [PATH, BEFORE, AFTER].every((names) => hasOne(args, names));
  if (WRITERS.has(tool)) return hasOne(args, PATH) && isText(args, 'content');
  return FETCHERS.has(tool) && isText(args, 'url');
}

/** Exactly one of `names` is there, and text: with two nobody knows which one the tool will use. */
function hasOne(args: Given, names: readonly string[]): boolean {
  const found = names.filter((name) => Object.hasOwn(args, name));
  return found.length === 1 && isText(args, found[0] ?? '');
}

function isText(args: Given, name: string): boolean {
  return Object.hasOwn(args, name) && typeof args[name] === 'string';
}

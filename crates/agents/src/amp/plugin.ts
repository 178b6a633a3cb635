// @i-know-the-amp-plugin-api-is-wip-and-very-experimental-right-now
// Written by `handraise connect`; `handraise disconnect amp` removes it.
// Asks Handraise before Amp acts. Whatever fails here makes the tool call fail.
import { spawn } from "node:child_process"

const COMMAND: string[] = @COMMAND@
const ACTIONS = ["allow", "modify", "reject-and-continue", "error"]

const failed = (why: string) => ({ action: "error", message: why })

// Runs the hook program with the call on stdin; its answer is one JSON object on stdout.
const ask = (call: unknown): Promise<any> =>
  new Promise((resolve) => {
    // These would make it look like a permission rule that delegates.
    const { AGENT_TOOL_NAME, AGENT_TOOL_USE_ID, ...env } = process.env
    const child = spawn(COMMAND[0], COMMAND.slice(1), { env, stdio: ["pipe", "pipe", "pipe"], windowsHide: true })
    let stdout = ""
    let stderr = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text))
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text))
    child.stdin.on("error", () => {})
    child.on("error", (error: Error) => resolve(failed(`Handraise could not be asked (${error.message}).`)))
    child.on("close", (code: number | null) => {
      if (code !== 0) return resolve(failed(stderr.trim() || "Handraise could not be asked."))
      try {
        const answer = JSON.parse(stdout)
        resolve(ACTIONS.includes(answer.action) ? answer : failed("Handraise answered something unknown."))
      } catch {
        resolve(failed("Handraise answered something that cannot be understood."))
      }
    })
    child.stdin.end(JSON.stringify(call))
  })

export default function (amp: any) {
  amp.on("tool.call", async (event: any) =>
    ask({
      thread: { id: event.thread?.id },
      toolUseID: event.toolUseID,
      tool: event.tool,
      input: event.input ?? {},
      cwd: process.cwd(),
    }),
  )
}

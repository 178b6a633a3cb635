// Written by `handraise connect`; `handraise disconnect opencode` removes it.
// Asks Handraise before OpenCode acts. Whatever fails here makes the tool call fail.
import { spawn } from "node:child_process"

const EVERY_CALL = @EVERY_CALL@
const COMMAND = @COMMAND@

// Runs the hook program with one question on stdin; its answer is one JSON object on stdout.
const ask = (question, waiting = () => {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(COMMAND[0], COMMAND.slice(1), { stdio: ["pipe", "pipe", "pipe"], windowsHide: true })
    let stdout = ""
    let stderr = ""
    child.stdout.setEncoding("utf8").on("data", (text) => (stdout += text))
    child.stderr.setEncoding("utf8").on("data", (text) => (stderr += text))
    child.stdin.on("error", () => {})
    child.on("error", (error) => reject(new Error(`Handraise could not be asked (${error.message}), so this call was denied.`)))
    child.on("close", (code) => {
      if (code !== 0) return reject(new Error(stderr.trim() || "Handraise could not be asked, so this call was denied."))
      try {
        resolve(JSON.parse(stdout))
      } catch {
        reject(new Error("Handraise answered something that cannot be understood, so this call was denied."))
      }
    })
    waiting(child)
    child.stdin.end(JSON.stringify(question))
  })

export const Handraise = async ({ client, directory }) => {
  // Calls that were approved before they began, and the questions that are being asked.
  const approved = new Set()
  const open = new Map()
  // Some models number their calls anew in every session.
  const name = (session, call) => `${session} ${call}`

  const reply = async (question, answer) => {
    const sent = await client._client.post({
      url: "/permission/{requestID}/reply",
      path: { requestID: question.id },
      query: { directory },
      body: answer,
      headers: { "Content-Type": "application/json" },
    })
    if (!sent.error) return
    // Older servers.
    await client.postSessionIdPermissionsPermissionId({
      path: { id: question.sessionID, permissionID: question.id },
      query: { directory },
      body: { response: answer.reply },
    })
  }

  // Without an answer the question stays with the person at the terminal.
  const permission = async (event) => {
    const question = event.properties
    const call = question.tool && name(question.sessionID, question.tool.callID)
    const isOfItsOwn = question.permission === "external_directory" || question.permission === "doom_loop"
    if (call && approved.has(call) && !isOfItsOwn) return reply(question, { reply: "once" })
    try {
      const answer = await ask({ ...event, directory }, (child) => open.set(question.id, child))
      if (open.has(question.id) && (answer.reply === "once" || answer.reply === "reject")) await reply(question, answer)
    } catch {
    } finally {
      open.delete(question.id)
    }
  }

  return {
    event: async ({ event }) => {
      if (event.type === "permission.asked") permission(event).catch(() => {})
      if (event.type === "permission.replied") {
        // Answered at the terminal: the question in Handraise is over.
        const id = event.properties.requestID ?? event.properties.permissionID
        const child = open.get(id)
        open.delete(id)
        child?.kill()
      }
      if (event.type === "session.deleted") ask({ ...event, directory }).catch(() => {})
    },
    "tool.execute.before": async (input, output) => {
      if (!EVERY_CALL) return
      const answer = await ask({ input, output: { args: output.args ?? {} }, directory })
      if (answer.action === "modify" && answer.args && typeof answer.args === "object") {
        for (const key of Object.keys(output.args)) delete output.args[key]
        Object.assign(output.args, answer.args)
      } else if (answer.action !== "allow" && Object.keys(answer).length > 0) {
        throw new Error(answer.message ?? "Denied in Handraise.")
      }
      if (answer.action) approved.add(name(input.sessionID, input.callID))
    },
    "tool.execute.after": async (input) => {
      approved.delete(name(input.sessionID, input.callID))
    },
  }
}

import { execFile } from 'node:child_process'
import { processEnvironment } from './process-environment.ts'

export type ToolResult = { code: number; out: string; err: string }

/** Runs a command-line tool of `backend/cli/` to its end, with environment variables; `code` is -1 when a signal ended it. */
export function runTool(name: string, args: readonly string[], settings: Record<string, string>): Promise<ToolResult> {
  return new Promise((resolve) => {
    const env = { ...processEnvironment, ...settings }
    const child = execFile(process.execPath, [`backend/cli/${name}.ts`, ...args], { env }, (_, out, err) =>
      resolve({ code: child.exitCode ?? -1, out, err }),
    )
  })
}

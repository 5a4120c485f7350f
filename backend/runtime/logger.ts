import { pino, type Logger } from 'pino'
import pretty from 'pino-pretty'

type Options = { level: string; production: boolean }

/**
 * Creates the logger: one JSON line per entry in production, readable lines elsewhere. Names, e-mail addresses, cookies and
 * bodies do not belong in the log; this redacts those that a careless line contains.
 */
export function createLogger({ level, production }: Options): Logger {
  const options = {
    level,
    base: production ? { pid: process.pid } : null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: redactedPaths, censor: '[struck out]' },
    serializers: { err: serializeError, error: serializeError, req: () => undefined, res: () => undefined },
  }
  if (production) return pino(options)
  const lines = pretty({
    sync: true,
    singleLine: true,
    colorize: process.stdout.isTTY,
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'pid',
  })
  return pino(options, lines)
}

const redactedFields = `
  password passwordHash secret token cookie cookies authorization headers body rawBody
  email username firstName lastName phone dateOfBirth address search query csv
  parameters values detail`
  .trim()
  .split(/\s+/)
const redactedPaths = redactedFields.flatMap((field) => [field, `*.${field}`])

type SerializedError = { type: string; message: string; code?: string; stack?: string; cause?: SerializedError }

/** Returns the loggable part of an error. PostgreSQL puts rows into `detail` and values into some messages: both are left out. */
export function serializeError(error: unknown, depth = 0): SerializedError {
  if (!(error instanceof Error)) return { type: typeof error, message: 'A value that is not an Error was thrown' }
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line))
  return {
    type: error.name,
    message: redactValues(error.message, code),
    ...(typeof code === 'string' || typeof code === 'number' ? { code: String(code) } : {}),
    ...(frames ? { stack: frames.join('\n') } : {}),
    ...(cause instanceof Error && depth < 4 ? { cause: serializeError(cause, depth + 1) } : {}),
  }
}

function redactValues(message: string, code: unknown): string {
  // Class 22 errors are about data: their messages quote the input.
  const unquoted = typeof code === 'string' && code.startsWith('22') ? message.replace(/"[^"]*"/g, '"…"') : message
  return unquoted.replace(/[^\s@"'<>()]+@[^\s@"'<>()]+/g, '[e-mail]').slice(0, 2000)
}

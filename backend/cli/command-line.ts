import { Command, CommanderError } from 'commander'
import { OperationRefused } from '#runtime/operation-refused.ts'
import { type Terminal, UsageError } from './terminal.ts'

type ErrorType = new (...args: never[]) => Error

/** The command line of one tool: commander's program, and the wrapper that maps its outcome to an exit code. */
export type CommandLine = {
  program: Command
  /** Wraps the handler of a command; the number that it resolves to becomes the exit code. */
  handle<Arguments extends unknown[]>(
    run: (...args: Arguments) => Promise<number>,
  ): (...args: Arguments) => Promise<void>
  /**
   * Runs the command that the words name. Returns the exit code: 2 for misuse, 1 for an expected error, whose message is
   * printed as one line. Other errors are rethrown.
   */
  run(words: readonly string[]): Promise<number>
}

/**
 * Creates the command line of one tool, called as `npm run <name> --`. Misuse, such as an unknown option, prints one line
 * that names the help.
 *
 * @param expectedErrors further errors that are the operator's to handle, printed without a stack trace
 */
export function createCommandLine(
  name: string,
  terminal: Terminal,
  expectedErrors: readonly ErrorType[] = [],
): CommandLine {
  let exitCode = 0
  const program = new Command(`npm run ${name} --`)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => text.trimEnd().split('\n').forEach(terminal.out),
      writeErr: () => undefined,
    })
    .configureHelp({ showGlobalOptions: true, optionDescription: ({ description }) => description })
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .allowExcessArguments(false)
  const helpHint = `npm run ${name} -- --help prints the usage`

  return {
    program,
    handle:
      (run) =>
      async (...args) => {
        exitCode = await run(...args)
      },
    async run(words) {
      try {
        requireKnownCommand(program, words)
        await program.parseAsync(words, { from: 'user' })
        return exitCode
      } catch (error) {
        if (error instanceof CommanderError) {
          if (error.exitCode === 0) return 0
          terminal.err(`${describeMisuse(error)}: ${helpHint}`)
          return 2
        }
        if (error instanceof UsageError) {
          terminal.err(`${error.message}: ${helpHint}`)
          return 2
        }
        if (![OperationRefused, ...expectedErrors].some((type) => error instanceof type)) throw error
        terminal.err((error as Error).message)
        return 1
      }
    },
  }
}

/** Commander would pass an unknown word on to the default command. Throws UsageError. */
function requireKnownCommand({ commands }: Command, [word]: readonly string[]): void {
  if (commands.length === 0 || word === undefined || word.startsWith('-')) return
  if (!commands.some((command) => command.name() === word)) throw new UsageError(`There is no command ${word}`)
}

/** Returns commander's message as one line without its prefix; without a command, commander only has the help to print. */
function describeMisuse(error: CommanderError): string {
  if (error.code === 'commander.help') return 'Name a command'
  return error.message
    .replace(/^error: /, '')
    .replaceAll(/\s*\n\s*/g, ' ')
    .replace(/\.$/, '')
}

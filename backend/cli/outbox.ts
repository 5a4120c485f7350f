import { readConfig } from '#main/config.ts'
import { listMessages, outboxFolder, readText, type StoredMessage } from '#mail/outbox.ts'
import { OperationRefused } from '#runtime/operation-refused.ts'
import { createCommandLine } from './command-line.ts'
import { runCli } from './run-tool.ts'
import { formatTable, type Terminal, UsageError } from './terminal.ts'

const about = `
Without SMTP_URL, messages are stored as files in DATA_DIR/outbox instead of being sent. Mail programs open them. Nothing
deletes them: delete the files when you no longer need them. Everchart may be running or stopped.
Exit codes: 0 success, 1 failure, 2 invalid usage.`

/** Runs `npm run outbox`. Returns the exit code. */
async function runOutboxCli(words: readonly string[], terminal: Terminal): Promise<number> {
  const { program, handle, run } = createCommandLine('outbox', terminal)
  const { out } = terminal
  const openFolder = () => outboxFolder(readConfig(process.env).dataDir)
  program.description('Lists and shows the messages that were stored instead of being sent.')
  program.addHelpText('after', about)

  program
    .command('list', { isDefault: true })
    .description('print the messages, oldest first: number, date, recipient, subject and file')
    .option('--json', 'print JSON', false)
    .action(
      handle(async ({ json }: { json: boolean }) => {
        const folder = openFolder()
        const messages = await listMessages(folder)
        if (json) out(JSON.stringify(messages, null, 2))
        else if (messages.length === 0) out(`There are no messages in ${folder}`)
        else formatTable(['', 'date', 'to', 'subject', 'file'], messages.map(toRow)).forEach(out)
        return 0
      }),
    )

  program
    .command('show')
    .description('print the text of a message')
    .argument('<number>', 'the number in the list')
    .action(
      handle(async (number: string) => {
        if (!/^[1-9]\d{0,8}$/.test(number)) throw new UsageError(`${number} is not the number of a message`)
        const folder = openFolder()
        const message = (await listMessages(folder))[Number(number) - 1]
        if (!message) throw new OperationRefused(`There is no message ${number}: npm run outbox lists them`)
        out(`Date: ${message.date}\nTo: ${message.to}\nSubject: ${message.subject}\n`)
        out((await readText(folder, message)).trimEnd())
        return 0
      }),
    )

  return await run(words)
}

const toRow = ({ date, to, subject, file }: StoredMessage, index: number) => [
  String(index + 1),
  date,
  to,
  subject,
  file,
]

await runCli(runOutboxCli)

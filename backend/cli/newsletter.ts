import type { Config } from '#main/config.ts'
import { formatAddress } from '#main/format-address.ts'
import { recordReveal } from '#modules/audit/record-reveal.ts'
import { newsletterDecider } from '#modules/newsletter/decider.ts'
import { listConfirmedSubscribers } from '#modules/newsletter/export-subscribers.ts'
import { createNewsletterLinks } from '#modules/newsletter/links.ts'
import { createCommandLine } from './command-line.ts'
import { type OpenStores, runCli, withDatabase, withOpenStores } from './run-tool.ts'
import type { Terminal } from './terminal.ts'

const about = `
The addresses whose owners confirmed the newsletter, as CSV (RFC 4180): the address, the instant of the confirmation (UTC),
and the link that unsubscribes it, which every newsletter must contain. A program that sends newsletters can also put the
link into the header List-Unsubscribe, for one click (RFC 8058).

The export is recorded with your account, as everything that a tool reveals. Export again before every newsletter: an
address that has left must not receive another one. Everchart may be running or stopped.
Exit codes: 0 success, 1 failure, 2 invalid usage.`

/** Runs `npm run newsletter`. Returns the exit code. */
async function runNewsletterCli(words: readonly string[], terminal: Terminal): Promise<number> {
  const { program, handle, run } = createCommandLine('newsletter', terminal)
  program.description('Exports the subscribers of the newsletter.')
  program
    .command('export')
    .description('print the confirmed addresses as CSV')
    .addHelpText('after', about)
    .action(
      handle(() =>
        withDatabase(terminal, (installation) =>
          withOpenStores(installation, (opened) => printSubscribers(opened, installation.config, terminal)),
        ),
      ),
    )
  return await run(words)
}

async function printSubscribers(
  { store, keys }: OpenStores,
  { publicUrl, host, port }: Config,
  { out, signal, account }: Terminal,
): Promise<number> {
  const links = createNewsletterLinks({ ...keys, address: publicUrl ?? formatAddress(host, port) })
  const subscribers = await listConfirmedSubscribers(store, signal)
  const shown = subscribers.map(({ subscriberId }) => `${newsletterDecider.category}-${subscriberId}`)
  await recordReveal(store, { command: 'newsletter export', by: account, shown })
  out(formatCsvLine(['email', 'confirmed_at', 'unsubscribe_url']))
  for (const { subscriberId, email, confirmedAt } of subscribers)
    out(formatCsvLine([email, confirmedAt, links.createLeaveUrl(subscriberId)]))
  return 0
}

const formatCsvLine = (cells: readonly string[]) =>
  cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')

await runCli(runNewsletterCli)

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fold, isRejection } from '#eventstore/decider.ts'
import { type DataExportCommand, dataExportsDecider } from '#modules/data-exports/decider.ts'
import { DataExportEvent } from '#modules/data-exports/events.ts'
import { dataExportsProjection } from '#modules/data-exports/projection.ts'
import { applyEvent, type Rows } from '#projections/projection.ts'
import { recordedEvent } from '#tests/support/events.ts'
import { cases } from '#tests/support/long.ts'
import { before, counts, exportIds, expiresAt, fileIds, practiceId, userId } from './fixtures.ts'

const command: fc.Arbitrary<DataExportCommand> = fc
  .record({
    type: fc.constantFrom('Request', 'Start', 'Complete', 'Fail', 'Retry', 'RecordDownload', 'Expire'),
    exportId: fc.constantFrom(...exportIds),
    fileId: fc.constantFrom(...fileIds),
    now: fc.constantFrom(before, expiresAt),
  })
  .map(({ type, exportId, fileId, now }): DataExportCommand => {
    const subject = { exportId, practiceId }
    switch (type) {
      case 'Request':
      case 'Retry':
        return { type, ...subject, requestedBy: userId }
      case 'Start':
        return { type, ...subject }
      case 'Complete':
        return { type, ...subject, fileId, bytes: 1, counts, expiresAt }
      case 'Fail':
        return { type, ...subject, reason: fileId === fileIds[0] ? 'no-more-tries' : 'too-large' }
      case 'RecordDownload':
        return { type, ...subject, userId, fileId, now }
      case 'Expire':
        return { type, ...subject, now }
    }
  })

/** Executes commands one after the other. Returns the events of each that was not refused. */
function run(commands: readonly DataExportCommand[]) {
  const history: DataExportEvent[] = []
  const steps = commands.map((each) => {
    const decision = dataExportsDecider.decide(each, fold(dataExportsDecider, history))
    const events = isRejection(decision) ? [] : decision
    history.push(...events)
    return { command: each, events, state: fold(dataExportsDecider, history) }
  })
  return { history, steps }
}

const sequences = fc.array(command, { maxLength: 40 })
const numRuns = cases(500, 20_000)

it('writes one export at a time, and keeps one file at most', () => {
  fc.assert(
    fc.property(sequences, (commands) => {
      for (const { state } of run(commands).steps) {
        expect(state.filter((each) => each.state === 'requested' || each.state === 'writing').length).toBeLessThan(2)
        expect(state.filter((each) => each.state === 'ready').length).toBeLessThan(2)
        for (const { state: name, file } of state) expect(file !== null).toBe(name === 'ready')
      }
    }),
    { numRuns },
  )
})

it('is ready once, and ends each file once', () => {
  fc.assert(
    fc.property(sequences, (commands) => {
      const { history } = run(commands)
      for (const exportId of exportIds)
        for (const type of ['DataExportRequested', 'DataExportReady', 'DataExportExpired'])
          expect(history.filter((each) => each.type === type && each.data.exportId === exportId).length).toBeLessThan(2)
    }),
    { numRuns },
  )
})

it('records no download of a file that is not there, or after its time', () => {
  fc.assert(
    fc.property(sequences, (commands) => {
      for (const { command: each, events, state } of run(commands).steps)
        if (events.some(({ type }) => type === 'DataExportDownloaded')) {
          const file = state.find(({ exportId }) => exportId === each.exportId)?.file
          expect(each).toMatchObject({ type: 'RecordDownload', fileId: file?.fileId, now: before })
        }
    }),
    { numRuns },
  )
})

it('a repeated command writes nothing, downloads excepted', () => {
  fc.assert(
    fc.property(sequences, command, (commands, last) => {
      fc.pre(last.type !== 'RecordDownload')
      expect(run([...commands, last, last]).steps.at(-1)?.events).toEqual([])
    }),
    { numRuns },
  )
})

it('shows in its read model what the decider decides from', () => {
  fc.assert(
    fc.property(sequences, (commands) => {
      const { history } = run(commands)
      const rows: Rows = new Map()
      for (const event of history) applyEvent(dataExportsProjection, rows, recordedEvent(DataExportEvent.parse(event)))
      const shown = [...rows].map(([exportId, row]) => [exportId, (row as { state: string }).state])
      const decided = fold(dataExportsDecider, history).map(({ exportId, state }) => [exportId, state])
      expect(shown).toEqual(decided)
    }),
    { numRuns },
  )
})

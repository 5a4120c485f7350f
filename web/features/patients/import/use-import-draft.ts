import { useState } from 'react'
import type { DateFormat, ImportField, ImportPreview } from '#contracts/patient-import.ts'
import { ApiProblem, errorMessage } from '#web/api/call.ts'
import { type PlanRefusal, parsePlanRefusal } from '#web/entities/billing/plan-notice.tsx'
import { usePreviewImport, useStartImport } from './import-api.ts'
import { hasNames, mapColumn, type ColumnMapping } from './import-labels.ts'
import { type ImportFile, FileRefused, readImportFile } from './read-import-file.ts'

type Draft = {
  file: ImportFile
  preview: ImportPreview
  mapping: ColumnMapping
  /** Dates a person was asked about; kept after the answer, so that it can be changed. */
  asked: ImportPreview['ambiguousDates']
  dateFormat: DateFormat | null
  includeDuplicates: boolean
}

/** Why it does not go on. Each time a new one, so that the same words are said again. */
export type ImportFailure = { message: string; refusal?: PlanRefusal | null }

/** The first three steps: file, columns, check. */
export type DraftStep = 0 | 1 | 2

const plain = (error: unknown): ImportFailure => ({ message: wordsFor(error), refusal: parsePlanRefusal(error) })

const wordsFor = (error: unknown) =>
  error instanceof ApiProblem
    ? (error.problem.errors[0]?.message ?? error.detail)
    : error instanceof FileRefused
      ? error.message
      : errorMessage(error)

/** An import before it starts: nothing is written until `start`. */
export function useImportDraft(onStarted: (importId: string) => void) {
  const look = usePreviewImport()
  const begin = useStartImport()
  const [draft, setDraft] = useState<Draft | null>(null)
  const [step, go] = useState<DraftStep>(0)
  const [failure, fail] = useState<ImportFailure | null>(null)
  const [reading, read] = useState(false)
  const change = (changed: Partial<Draft>) => {
    fail(null)
    setDraft((before) => before && { ...before, ...changed })
  }

  async function choose(chosen: File): Promise<void> {
    fail(null)
    read(true)
    try {
      const file = await readImportFile(chosen)
      const preview = await look.mutateAsync({ csv: file.text })
      const mapping = Object.fromEntries(preview.columns.map(({ heading, field }) => [heading, field]))
      setDraft({ file, preview, mapping, asked: preview.ambiguousDates, dateFormat: null, includeDuplicates: false })
      go(1)
    } catch (error) {
      fail(plain(error))
    } finally {
      read(false)
    }
  }

  const answered = ({ file, mapping, dateFormat }: Draft) => ({
    csv: file.text,
    mapping,
    ...(dateFormat ? { dateFormat } : {}),
  })

  async function check(): Promise<void> {
    if (!draft || look.isPending) return
    if (!hasNames(draft.mapping))
      return fail({ message: 'Choose which columns hold the first name and the last name.' })
    if (draft.asked.length > 0 && !draft.dateFormat)
      return fail({ message: 'Say how the dates are written: month first or day first.' })
    try {
      const preview = await look.mutateAsync(answered(draft))
      // Another column of dates may ask anew.
      if (preview.dateFormat === null) return change({ asked: preview.ambiguousDates })
      change({ preview: { ...preview, columns: draft.preview.columns } })
      go(2)
    } catch (error) {
      fail(plain(error))
    }
  }

  async function start(): Promise<void> {
    if (!draft || begin.isPending || begin.isSuccess) return
    fail(null)
    try {
      const { importId } = await begin.mutateAsync({ ...answered(draft), includeDuplicates: draft.includeDuplicates })
      onStarted(importId)
    } catch (error) {
      fail(plain(error))
    }
  }

  return {
    draft,
    step,
    failure,
    reading,
    checking: look.isPending,
    starting: begin.isPending || begin.isSuccess,
    choose,
    map: (heading: string, field: ImportField | null) =>
      draft && change({ mapping: mapColumn(draft.mapping, heading, field) }),
    answer: (dateFormat: DateFormat) => change({ dateFormat }),
    include: (includeDuplicates: boolean) => change({ includeDuplicates }),
    check,
    start,
    back: () => {
      fail(null)
      go(step === 2 ? 1 : 0)
    },
  }
}

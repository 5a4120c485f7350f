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
  /** Dates that the user is asked about; kept after the answer, so that it can be changed. */
  ambiguousDates: ImportPreview['ambiguousDates']
  dateFormat: DateFormat | null
  /** Null until the user decides: then only where state or country fit. */
  restorePostalCodes: boolean | null
  includeDuplicates: boolean
  /** The rows that may be known patients, and are added as others. */
  addedRows: ReadonlySet<number>
}

/** Reason why the import cannot continue; a new object each time, so that the same message is announced again. */
export type ImportFailure = { message: string; refusal?: PlanRefusal | null }

/** Index of a step before the import starts: file, columns, check. */
export type DraftStep = 0 | 1 | 2

const toFailure = (error: unknown): ImportFailure => ({
  message: describeError(error),
  refusal: parsePlanRefusal(error),
})

const describeError = (error: unknown) =>
  error instanceof ApiProblem
    ? (error.problem.errors[0]?.message ?? error.detail)
    : error instanceof FileRefused
      ? error.message
      : errorMessage(error)

/** Returns whether leading zeros of postal codes are restored: as the user decided, else where state or country fit. */
const isRestoringPostalCodes = ({ restorePostalCodes, preview }: Draft) =>
  restorePostalCodes ?? preview.shortPostalCodes?.isLikely ?? false

/** Holds an import before it starts; nothing is saved until `start`. */
export function useImportDraft(onStarted: (importId: string) => void) {
  const previewImport = usePreviewImport()
  const startImport = useStartImport()
  const [draft, setDraft] = useState<Draft | null>(null)
  const [step, setStep] = useState<DraftStep>(0)
  const [failure, setFailure] = useState<ImportFailure | null>(null)
  const [isReading, setIsReading] = useState(false)
  const change = (changed: Partial<Draft>) => {
    setFailure(null)
    setDraft((before) => before && { ...before, ...changed })
  }

  async function chooseFile(chosen: File): Promise<void> {
    setFailure(null)
    setIsReading(true)
    try {
      const file = await readImportFile(chosen)
      const preview = await previewImport.mutateAsync({ csv: file.text })
      const mapping = new Map(preview.columns.map(({ heading, field }) => [heading, field]))
      setDraft({
        file,
        preview,
        mapping,
        ambiguousDates: preview.ambiguousDates,
        dateFormat: null,
        restorePostalCodes: null,
        includeDuplicates: false,
        addedRows: new Set(),
      })
      setStep(1)
    } catch (error) {
      setFailure(toFailure(error))
    } finally {
      setIsReading(false)
    }
  }

  const toBody = (from: Draft) => ({
    csv: from.file.text,
    mapping: [...from.mapping].map(([heading, field]) => ({ heading, field })),
    ...(from.dateFormat ? { dateFormat: from.dateFormat } : {}),
    restorePostalCodes: isRestoringPostalCodes(from),
  })

  /** Returns the preview with the postal codes restored where that is recommended, which depends on the mapped columns. */
  async function previewAsRecommended(from: Draft): Promise<ImportPreview> {
    const body = toBody(from)
    const preview = await previewImport.mutateAsync(body)
    const restorePostalCodes = isRestoringPostalCodes({ ...from, preview })
    if (restorePostalCodes === body.restorePostalCodes) return preview
    return await previewImport.mutateAsync({ ...body, restorePostalCodes })
  }

  async function setRestorePostalCodes(restorePostalCodes: boolean): Promise<void> {
    if (!draft || previewImport.isPending) return
    const changed = { ...draft, restorePostalCodes }
    try {
      const preview = await previewImport.mutateAsync(toBody(changed))
      change({ restorePostalCodes, preview: { ...preview, columns: draft.preview.columns } })
    } catch (error) {
      setFailure(toFailure(error))
    }
  }

  async function check(): Promise<void> {
    if (!draft || previewImport.isPending) return
    if (!hasNames(draft.mapping))
      return setFailure({ message: 'Choose which columns hold the first name and the last name.' })
    if (draft.ambiguousDates.length > 0 && !draft.dateFormat)
      return setFailure({ message: 'Choose how the dates are written: month first or day first.' })
    try {
      const preview = await previewAsRecommended(draft)
      // Another column of dates can be ambiguous in turn.
      if (preview.dateFormat === null) return change({ ambiguousDates: preview.ambiguousDates })
      // Other columns may raise other questions.
      change({ preview: { ...preview, columns: draft.preview.columns }, addedRows: new Set() })
      setStep(2)
    } catch (error) {
      setFailure(toFailure(error))
    }
  }

  async function start(): Promise<void> {
    if (!draft || startImport.isPending || startImport.isSuccess) return
    setFailure(null)
    try {
      const { importId } = await startImport.mutateAsync({
        ...toBody(draft),
        includeDuplicates: draft.includeDuplicates,
        addedRows: [...draft.addedRows],
      })
      onStarted(importId)
    } catch (error) {
      setFailure(toFailure(error))
    }
  }

  return {
    draft,
    step,
    failure,
    isReading,
    isChecking: previewImport.isPending,
    isStarting: startImport.isPending || startImport.isSuccess,
    chooseFile,
    mapColumn: (heading: string, field: ImportField | null) =>
      draft && change({ mapping: mapColumn(draft.mapping, heading, field) }),
    setDateFormat: (dateFormat: DateFormat) => change({ dateFormat }),
    isRestoringPostalCodes: draft !== null && isRestoringPostalCodes(draft),
    setRestorePostalCodes,
    setIncludeDuplicates: (includeDuplicates: boolean) => change({ includeDuplicates }),
    setAdded: (row: number, isOther: boolean) => {
      const addedRows = new Set(draft?.addedRows)
      if (isOther) addedRows.add(row)
      else addedRows.delete(row)
      change({ addedRows })
    },
    check,
    start,
    back: () => {
      setFailure(null)
      setStep(step === 2 ? 1 : 0)
    },
  }
}

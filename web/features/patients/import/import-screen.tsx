import { formatCount } from '#web/ui/format.ts'
import { Button, makeStyles } from '@fluentui/react-components'
import { DocumentProhibitedRegular } from '@fluentui/react-icons/svg/document-prohibited'
import { ErrorCircleRegular } from '@fluentui/react-icons/svg/error-circle'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { ApiProblem, errorMessage } from '#web/api/call.ts'
import { useCurrentUser } from '#web/entities/accounts/current-user.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { LinkButton } from '#web/ui/link-button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { NotAllowed } from '#web/ui/not-allowed.tsx'
import { Page } from '#web/ui/page.tsx'
import { PlanNotice } from '#web/entities/billing/plan-notice.tsx'
import { SecondaryText } from '#web/ui/text.tsx'
import { ChooseFile } from './choose-file.tsx'
import { importQuery } from './import-api.ts'
import { ImportCheck } from './import-check.tsx'
import { ImportColumns } from './import-columns.tsx'
import { ImportFailed } from './import-failed.tsx'
import { ImportProgress } from './import-progress.tsx'
import { ImportReport } from './import-report.tsx'
import { countAdded, formatPatientCount, describePlanShortage } from './import-labels.ts'
import { PostalCodesSwitch } from './postal-codes-switch.tsx'
import { RecentImports } from './recent-imports.tsx'
import { StepCard } from './step-card.tsx'
import { useImportDraft } from './use-import-draft.ts'
import { patientKeys } from '#web/entities/patients/patient-keys.ts'
import { importKeys } from './import-keys.ts'

/** Imports patients from a file in five steps, with an undo afterwards. */
export function ImportScreen() {
  const { id } = useSearch({ from: '/shell/patients/import' })
  const user = useCurrentUser()
  if (user?.practiceId && !user.permissions.includes('patients:write'))
    return (
      <Page title="Import patients">
        <NotAllowed title="Your role does not include adding patients" hint="Ask the owner of the practice." />
      </Page>
    )
  return id ? <StartedImport importId={id} /> : <ImportDraft />
}

const useStyles = makeStyles({ cancel: { minWidth: 0, marginLeft: '-12px' }, failed: { margin: '12px' } })

function Cancel() {
  return (
    <LinkButton to="/patients" appearance="subtle" className={useStyles().cancel}>
      Cancel
    </LinkButton>
  )
}

type DraftState = ReturnType<typeof useImportDraft>
type ReadyDraft = NonNullable<DraftState['draft']>

/** The first three steps: file, columns, check. Nothing is saved yet. */
function ImportDraft() {
  const navigate = useNavigate()
  const state = useImportDraft(
    (importId) => void navigate({ to: '/patients/import', search: { id: importId }, replace: true }),
  )
  const { draft, step, failure } = state
  const title = 'Import patients'
  if (!draft || step === 0)
    return (
      <Page title={title} subtitle="From a spreadsheet or another system">
        <StepCard at={0} aside={<Cancel />}>
          <ChooseFile
            pending={state.isReading}
            failure={failure?.message ?? null}
            onFile={(file) => void state.chooseFile(file)}
          />
          <RecentImports />
        </StepCard>
      </Page>
    )
  return (
    <Page title={title} subtitle={`${draft.file.name}, ${formatCount(draft.preview.total, 'row')}`}>
      <StepCard at={step} aside={<Cancel />} actions={<DraftActions state={state} draft={draft} />}>
        {step === 1 ? (
          <ImportColumns
            columns={draft.preview.columns}
            mapping={draft.mapping}
            failure={failure}
            ambiguousDates={draft.ambiguousDates}
            answer={draft.dateFormat}
            onAnswer={state.setDateFormat}
            onMap={state.mapColumn}
          />
        ) : (
          <CheckStep state={state} draft={draft} />
        )}
      </StepCard>
    </Page>
  )
}

/** Returns the number of rows to import, and of those the plan has room for. */
function countImportable({ preview, ...answers }: ReadyDraft) {
  const importable = countAdded(preview, answers)
  return { importable, toAdd: Math.min(importable, preview.remainingPatients ?? importable) }
}

function DraftActions({ state, draft }: { state: DraftState; draft: ReadyDraft }) {
  const { isChecking, isStarting } = state
  const { toAdd } = countImportable(draft)
  const importLabel = toAdd > 0 ? `Import ${formatPatientCount(toAdd)}` : 'Nothing to import'
  const next =
    state.step === 1
      ? { label: isChecking ? 'Checking...' : 'Check the rows', isDisabled: isChecking, run: state.check }
      : { label: isStarting ? 'Starting...' : importLabel, isDisabled: isStarting || toAdd === 0, run: state.start }
  return (
    <>
      <Button onClick={state.back} disabledFocusable={isStarting}>
        Back
      </Button>
      <Button
        appearance="primary"
        disabledFocusable={next.isDisabled}
        onClick={() => !next.isDisabled && void next.run()}
      >
        {next.label}
      </Button>
    </>
  )
}

function CheckStep({ state, draft }: { state: DraftState; draft: ReadyDraft }) {
  const styles = useStyles()
  const { failure, setIncludeDuplicates, setAdded } = state
  const { preview, includeDuplicates, addedRows } = draft
  const { importable, toAdd } = countImportable(draft)
  const shortage = describePlanShortage(importable, preview.remainingPatients)
  return (
    <>
      {failure?.refusal && <PlanNotice refusal={failure.refusal} className={styles.failed} />}
      {failure && !failure.refusal && (
        <Notice tone="error" icon={ErrorCircleRegular} title={failure.message} role="alert" className={styles.failed} />
      )}
      {shortage && !failure?.refusal && (
        <PlanNotice
          refusal={{ title: shortage.title, text: shortage.hint, action: 'Upgrade', plan: null }}
          className={styles.failed}
        />
      )}
      <ImportCheck
        preview={preview}
        answers={{ includeDuplicates, addedRows }}
        onInclude={setIncludeDuplicates}
        onAdd={setAdded}
        overLimit={importable - toAdd}
        postalCodes={
          <PostalCodesSwitch
            found={preview.shortPostalCodes}
            isOn={state.isRestoringPostalCodes}
            isPending={state.isChecking}
            onChange={(restore) => void state.setRestorePostalCodes(restore)}
          />
        }
      />
    </>
  )
}

/** A started import: its progress, then its report. Its id is in the URL. */
function StartedImport({ importId }: { importId: string }) {
  const queries = useQueryClient()
  const { data: status, error, refetch, dataUpdatedAt } = useQuery(importQuery(importId))
  const state = status?.state
  useEffect(() => {
    if (state !== 'done' && state !== 'undone' && state !== 'failed') return
    void queries.invalidateQueries({ queryKey: patientKeys.lists })
    void queries.invalidateQueries({ queryKey: importKeys.list })
  }, [state, queries])
  const renderStep = (at: number, aside: ReactNode, actions: ReactNode, children: ReactNode) => (
    <Page title="Import patients" subtitle={status ? formatCount(status.total, 'row') : undefined}>
      <StepCard at={at} aside={aside} actions={actions}>
        {children}
      </StepCard>
    </Page>
  )
  const importAnother = <LinkButton to="/patients/import">Import another file</LinkButton>
  if (!status) {
    const isNotFound = error instanceof ApiProblem && error.status === 404
    const body = isNotFound ? (
      <EmptyState
        icon={DocumentProhibitedRegular}
        title="Import not found"
        hint="The link may be incomplete, or it belongs to another practice."
      />
    ) : (
      error && (
        <ErrorState title="Failed to fetch the import" hint={errorMessage(error)} onRetry={() => void refetch()} />
      )
    )
    return renderStep(3, null, error ? importAnother : null, body)
  }
  if (state === 'failed') return renderStep(3, null, importAnother, <ImportFailed status={status} />)
  if (state === 'done' || state === 'undone')
    return renderStep(
      4,
      null,
      <>
        {importAnother}
        <LinkButton to="/patients" appearance="primary" search={{ sort: '-lastVisit' }}>
          Open patients
        </LinkButton>
      </>,
      <ImportReport status={status} />,
    )
  return renderStep(
    3,
    <SecondaryText>
      {error ? 'The connection was lost. Trying again.' : 'You can leave this page. The import continues.'}
    </SecondaryText>,
    <LinkButton to="/patients">Leave</LinkButton>,
    <ImportProgress status={status} at={dataUpdatedAt} />,
  )
}

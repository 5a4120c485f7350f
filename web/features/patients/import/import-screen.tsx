import { Button, makeStyles } from '@fluentui/react-components'
import { DocumentProhibitedRegular, ErrorCircleRegular } from '@fluentui/react-icons'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { ApiProblem, errorMessage } from '#web/api/call.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { LinkButton } from '#web/ui/link-button.tsx'
import { Notice } from '#web/ui/notice.tsx'
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
import { formatNumber, formatPatientCount, describePlanShortage } from './import-labels.ts'
import { RecentImports } from './recent-imports.tsx'
import { StepCard } from './step-card.tsx'
import { useImportDraft } from './use-import-draft.ts'

/** From a file to patients in five steps, and back again with one. */
export function ImportScreen() {
  const { id } = useSearch({ from: '/shell/patients/import' })
  return id ? <Started importId={id} /> : <Draft />
}

const useStyles = makeStyles({ cancel: { minWidth: 0, marginLeft: '-12px' }, failed: { margin: '12px' } })

function Cancel() {
  return (
    <LinkButton to="/patients" appearance="subtle" className={useStyles().cancel}>
      Cancel
    </LinkButton>
  )
}

/** File, columns, check: nothing is written yet. */
function Draft() {
  const styles = useStyles()
  const navigate = useNavigate()
  const { draft, step, failure, ...it } = useImportDraft(
    (importId) => void navigate({ to: '/patients/import', search: { id: importId }, replace: true }),
  )
  const title = 'Import patients'
  if (!draft || step === 0)
    return (
      <Page title={title} subtitle="From a spreadsheet or another system">
        <StepCard at={0} aside={<Cancel />}>
          <ChooseFile pending={it.reading} failure={failure?.message ?? null} onFile={(file) => void it.choose(file)} />
          <RecentImports />
        </StepCard>
      </Page>
    )
  const { preview, includeDuplicates } = draft
  const wanted = preview.new + (includeDuplicates ? preview.duplicate : 0)
  const toAdd = Math.min(wanted, preview.remainingPatients ?? wanted)
  const left = describePlanShortage(wanted, preview.remainingPatients)
  const next: [string, boolean, () => void] =
    step === 1
      ? [it.checking ? 'Checking...' : 'Check the rows', it.checking, () => void it.check()]
      : [
          it.starting ? 'Starting...' : toAdd > 0 ? `Import ${formatPatientCount(toAdd)}` : 'Nothing to import',
          it.starting || toAdd === 0,
          () => void it.start(),
        ]
  const [label, waiting, onNext] = next
  return (
    <Page title={title} subtitle={`${draft.file.name}, ${formatNumber(preview.total)} rows`}>
      <StepCard
        at={step}
        aside={<Cancel />}
        actions={
          <>
            <Button onClick={it.back} disabledFocusable={it.starting}>
              Back
            </Button>
            <Button appearance="primary" disabledFocusable={waiting} onClick={() => !waiting && onNext()}>
              {label}
            </Button>
          </>
        }
      >
        {step === 1 ? (
          <ImportColumns
            columns={preview.columns}
            mapping={draft.mapping}
            failure={failure}
            asked={draft.asked}
            answer={draft.dateFormat}
            onAnswer={it.answer}
            onMap={it.map}
          />
        ) : (
          <>
            {failure?.refusal && <PlanNotice refusal={failure.refusal} className={styles.failed} />}
            {failure && !failure.refusal && (
              <Notice
                tone="bad"
                icon={ErrorCircleRegular}
                title={failure.message}
                role="alert"
                className={styles.failed}
              />
            )}
            {left && !failure?.refusal && (
              <PlanNotice
                refusal={{ title: left.title, text: left.hint, action: 'Upgrade', plan: null }}
                className={styles.failed}
              />
            )}
            <ImportCheck
              preview={preview}
              includeDuplicates={includeDuplicates}
              onInclude={it.include}
              stayOut={wanted - toAdd}
            />
          </>
        )}
      </StepCard>
    </Page>
  )
}

/** An import that was started: how far it is, and what came of it. The address keeps it. */
function Started({ importId }: { importId: string }) {
  const queries = useQueryClient()
  const { data: status, error, refetch, dataUpdatedAt } = useQuery(importQuery(importId))
  const state = status?.state
  useEffect(() => {
    if (state !== 'done' && state !== 'undone' && state !== 'failed') return
    void queries.invalidateQueries({ queryKey: ['patients'] })
    void queries.invalidateQueries({ queryKey: ['imports', 'list'] })
  }, [state, queries])
  const frame = (at: number, aside: ReactNode, actions: ReactNode, children: ReactNode) => (
    <Page title="Import patients" subtitle={status ? `${formatNumber(status.total)} rows` : undefined}>
      <StepCard at={at} aside={aside} actions={actions}>
        {children}
      </StepCard>
    </Page>
  )
  const another = <LinkButton to="/patients/import">Import another file</LinkButton>
  if (!status) {
    const gone = error instanceof ApiProblem && error.status === 404
    const body = gone ? (
      <EmptyState
        icon={DocumentProhibitedRegular}
        title="There is no such import"
        hint="The link may not be complete, or it belongs to another practice."
      />
    ) : (
      error && (
        <ErrorState title="Failed to fetch the import" hint={errorMessage(error)} onRetry={() => void refetch()} />
      )
    )
    return frame(3, null, error ? another : null, body)
  }
  if (state === 'failed') return frame(3, null, another, <ImportFailed status={status} />)
  if (state === 'done' || state === 'undone')
    return frame(
      4,
      null,
      <>
        {another}
        <LinkButton to="/patients" appearance="primary" search={{ sort: '-updatedAt' }}>
          Open patients
        </LinkButton>
      </>,
      <ImportReport status={status} />,
    )
  return frame(
    3,
    <SecondaryText>
      {error ? 'The connection was lost, trying again.' : 'You can leave this page, the import goes on.'}
    </SecondaryText>,
    <LinkButton to="/patients">Leave</LinkButton>,
    <ImportProgress status={status} at={dataUpdatedAt} />,
  )
}

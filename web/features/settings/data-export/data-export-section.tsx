import { Button, Link, makeStyles, Text, tokens } from '@fluentui/react-components'
import { ArrowDownloadRegular } from '@fluentui/react-icons/svg/arrow-download'
import { ErrorCircleRegular } from '@fluentui/react-icons/svg/error-circle'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { DataExport } from '#contracts/data-exports.ts'
import { ApiProblem, errorMessage } from '#web/api/call.ts'
import { useHasPermission } from '#web/entities/accounts/current-user.ts'
import { useFormatInstant } from '#web/entities/practices/practice-time.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { SecondaryText } from '#web/ui/text.tsx'
import { LoadedSection, SectionForbidden } from '../sections/section-state.tsx'
import { SettingsFooter, SettingsList, SettingsRow } from '../sections/settings-grid.tsx'
import { dataExportsQuery, getDownloadUrl, useDownload, useRequestDataExport } from './data-export-api.ts'
import {
  describeDownload,
  describeDownloadFailure,
  describeRequest,
  describeState,
  getBadge,
  isRunning,
} from './labels.ts'

const useStyles = makeStyles({
  description: { margin: '0 0 12px', color: tokens.colorNeutralForeground2 },
  row: { display: 'flex', flexWrap: 'wrap', gap: '8px 16px', padding: '12px 0' },
  texts: { display: 'grid', flex: '1 1 220px', minWidth: 0, overflowWrap: 'anywhere' },
  state: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '8px' },
  failure: { marginTop: '12px' },
})

/** Exports of all data of the practice, which its owner and administrators request and download. */
export function DataExportSection() {
  const canExport = useHasPermission('settings')
  const query = useQuery({ ...dataExportsQuery, enabled: canExport })
  return (
    <Panel title="Data export" note="CSV and FHIR R4">
      {canExport ? (
        <LoadedSection query={query} subject="Data exports" loadingSubject="the data exports" rows={2}>
          {(exports) => <DataExports exports={exports} />}
        </LoadedSection>
      ) : (
        <SectionForbidden subject="Data exports" />
      )}
    </Panel>
  )
}

function DataExports({ exports }: { exports: readonly DataExport[] }) {
  const styles = useStyles()
  const request = useRequestDataExport()
  const download = useDownload()
  const [isAsking, setIsAsking] = useState(false)
  const isWriting = exports.some(isRunning)
  const isBusy = request.isPending || isWriting
  const { error, reset } = request
  const isOutdated = error instanceof ApiProblem && error.code === 'export-running' && !isWriting
  useEffect(() => {
    // The export that was being written is ready now.
    if (isOutdated) reset()
  }, [isOutdated, reset])
  const requestNew = () => {
    setIsAsking(false)
    if (!isBusy) request.mutate(null)
  }
  return (
    <>
      <Text as="p" block className={styles.description}>
        One ZIP file with all records of your practice: tables for Excel (CSV) and HL7 FHIR R4 files for other systems.
        It can be downloaded for 24 hours. Requests and downloads are recorded.
      </Text>
      {exports.length === 0 ? (
        <SecondaryText as="p">No exports yet.</SecondaryText>
      ) : (
        <SettingsList label="Data exports">
          {exports.map((each) => (
            <DataExportRow
              key={each.id}
              dataExport={each}
              canRetry={!isBusy}
              onRetry={() => request.mutate(each.id)}
              onDownload={() => download.mutate(each.id)}
            />
          ))}
        </SettingsList>
      )}
      {error && (
        <Notice
          className={styles.failure}
          tone="error"
          icon={ErrorCircleRegular}
          role="alert"
          title="The export could not be requested"
        >
          {error instanceof ApiProblem ? error.detail : errorMessage(error)}
        </Notice>
      )}
      {download.error && <DownloadFailure error={download.error} />}
      <ConfirmDialog
        open={isAsking}
        title="Replace the export that is ready?"
        action="Request data export"
        onConfirm={requestNew}
        onCancel={() => setIsAsking(false)}
      >
        <Text>When the new export is ready, the one before can no longer be downloaded.</Text>
      </ConfirmDialog>
      <SettingsFooter>
        <Button
          disabledFocusable={isBusy}
          onClick={() => {
            if (isBusy) return
            if (exports.some(({ state }) => state === 'ready')) setIsAsking(true)
            else requestNew()
          }}
        >
          {request.isPending ? 'Requesting...' : 'Request data export'}
        </Button>
      </SettingsFooter>
    </>
  )
}

function DownloadFailure({ error }: { error: Error }) {
  const styles = useStyles()
  const isSignedOut = error instanceof ApiProblem && error.status === 401
  return (
    <Notice
      className={styles.failure}
      tone="error"
      icon={ErrorCircleRegular}
      role="alert"
      title="The export could not be downloaded"
      actions={
        isSignedOut && (
          <Link href="/auth" target="_blank">
            Sign in from a new tab
          </Link>
        )
      }
    >
      {error instanceof ApiProblem ? describeDownloadFailure(error) : errorMessage(error)}
    </Notice>
  )
}

type DataExportRowProps = {
  dataExport: DataExport
  canRetry: boolean
  onRetry: () => void
  onDownload: () => void
}

function DataExportRow({ dataExport, canRetry, onRetry, onDownload }: DataExportRowProps) {
  const styles = useStyles()
  const formatInstant = useFormatInstant()
  const { id, state, failure } = dataExport
  const requested = describeRequest(dataExport, formatInstant)
  const download = describeDownload(dataExport, formatInstant)
  return (
    <SettingsRow className={styles.row}>
      <span className={styles.texts}>
        <Text>{requested}</Text>
        <SecondaryText>{describeState(dataExport, formatInstant)}</SecondaryText>
        {download && <SecondaryText>{download}</SecondaryText>}
      </span>
      <span className={styles.state}>
        <span role="status">
          <StatusBadge {...getBadge(dataExport)} />
        </span>
        {state === 'ready' && (
          <Button
            as="a"
            size="small"
            icon={<ArrowDownloadRegular />}
            href={getDownloadUrl(id)}
            download
            onClick={(event) => {
              event.preventDefault()
              onDownload()
            }}
            aria-label={`Download the export of ${requested}`}
          >
            Download
          </Button>
        )}
        {state === 'failed' && failure !== 'too-large' && (
          <Button
            size="small"
            disabledFocusable={!canRetry}
            aria-label={`Retry the export of ${requested}`}
            onClick={() => canRetry && onRetry()}
          >
            Retry
          </Button>
        )}
      </span>
    </SettingsRow>
  )
}

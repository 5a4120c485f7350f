import { Button, makeStyles, Select, Spinner, tokens } from '@fluentui/react-components'
import { AddRegular } from '@fluentui/react-icons/svg/add'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { Patient } from '#contracts/patients.ts'
import type { VitalSigns } from '#contracts/vital-signs.ts'
import { useHasPermission } from '#web/entities/accounts/current-user.ts'
import { SummaryList, SummaryRow } from '#web/entities/patients/summary-list.tsx'
import { type PracticeTimes, usePracticeTimes } from '#web/entities/practices/practice-time.ts'
import { patientRecordsQuery } from '#web/entities/records/record-api.ts'
import { NewRecordDialog } from '#web/entities/records/record-dialogs.tsx'
import { getStatus } from '#web/entities/records/record-kind.ts'
import { levelLabels } from '#web/entities/vital-signs/labels.ts'
import {
  createVitalSignsKind,
  useVitalSignsPlace,
  vitalSignsKey,
  type VitalSignsPlace,
} from '#web/entities/vital-signs/vital-signs-kind.ts'
import { formatName } from '#web/ui/format.ts'
import { RowLink } from '#web/ui/row-link.tsx'
import { type Status, StatusBadge } from '#web/ui/status-badge.tsx'
import { SecondaryText } from '#web/ui/text.tsx'
import { type Course, findCourses, findLatest, labelPoints, type LatestValue, sortMeasurements } from './summarize.ts'

// Lazy, because the chart library is larger than the rest of the record.
const CourseChart = lazy(async () => ({ default: (await import('./course-chart.tsx')).CourseChart }))

/** Measurements that are loaded: those of a patient who comes every week for four years. */
const maxLoaded = 200
/** Measurements that are listed at first. */
const summarySize = 3

const useStyles = makeStyles({
  root: { display: 'grid', rowGap: '12px' },
  tiles: {
    margin: 0,
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fill, minmax(136px, 1fr))',
    columnGap: '12px',
    rowGap: '12px',
  },
  tile: { display: 'grid', alignContent: 'start', rowGap: '2px' },
  term: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
  value: { margin: 0, display: 'grid', rowGap: '2px', justifyItems: 'start' },
  number: {
    fontSize: tokens.fontSizeBase400,
    fontWeight: tokens.fontWeightSemibold,
    fontVariantNumeric: 'tabular-nums',
  },
  choice: { justifySelf: 'start' },
  loading: { height: '208px', display: 'grid', placeItems: 'center' },
})

/** The vital signs of a patient: the latest of each kind, their course, and the measurements, with a button that records more. */
export function PatientVitalSigns({ patient }: { patient: Patient }) {
  const place = useVitalSignsPlace()
  return place && <Content patient={patient} place={place} />
}

function Content({ patient, place }: { patient: Patient; place: VitalSignsPlace }) {
  const styles = useStyles()
  const times = usePracticeTimes()
  const mayWrite = useHasPermission('clinical:write')
  const [isAll, setAll] = useState(false)
  const [isAdding, setAdding] = useState(false)
  const kind = createVitalSignsKind(place)
  const { data, error, refetch } = useQuery(patientRecordsQuery(kind, patient.id, maxLoaded))
  const loaded = (data?.items ?? []) as unknown as readonly VitalSigns[]
  const sorted = sortMeasurements(loaded)
  const listed = loaded.toSorted((one, other) => (one.measuredAt < other.measuredAt ? 1 : -1))
  const latest = findLatest(sorted, { birthDate: patient.dateOfBirth, units: place.units })
  const items = isAll ? listed : listed.slice(0, summarySize)
  return (
    <div className={styles.root}>
      {latest.length > 0 && <LatestValues latest={latest} times={times} newest={sorted[0]?.measuredAt ?? ''} />}
      <Courses courses={findCourses(sorted, place.units)} times={times} />
      <SummaryList
        source={{ data: data && { items, total: data.total }, error, refetch }}
        loadingLabel="Loading the vital signs"
        errorTitle="Failed to fetch the vital signs"
        emptyText="Nothing measured yet"
        renderItem={(row) => (
          <SummaryRow
            key={row.id}
            link={
              <RowLink
                to="/automation"
                // The lists of records parse their own parameters.
                search={{ tab: 'clinical', list: vitalSignsKey, record: row.id } as { tab: 'clinical' }}
              >
                {kind.describe(row)}
              </RowLink>
            }
            detail={kind.detail(row, times)}
            end={
              row.vitalSignsStatus === 'recorded' ? null : (
                <StatusBadge
                  status="cancelled"
                  label={kind.statuses[getStatus(kind, row)]?.label ?? row.vitalSignsStatus}
                  plain
                />
              )
            }
          />
        )}
        onAll={isAll ? null : () => setAll(true)}
        actions={
          mayWrite && (
            <Button icon={<AddRegular />} onClick={() => setAdding(true)}>
              {kind.add}
            </Button>
          )
        }
      />
      {isAdding && (
        <NewRecordDialog
          kind={kind}
          given={{ fields: {}, patientId: patient.id, patient, title: `${kind.add}, ${formatName(patient)}` }}
          onClose={() => setAdding(false)}
        />
      )}
    </div>
  )
}

const badges: Partial<Record<NonNullable<LatestValue['level']>, Status>> = {
  'very-low': 'failed',
  low: 'pending',
  high: 'pending',
  'very-high': 'failed',
}

type LatestValuesProps = { latest: readonly LatestValue[]; times: PracticeTimes; newest: string }

/** The latest value of each kind. One that is older than the latest measurement says from when it is. */
function LatestValues({ latest, times, newest }: LatestValuesProps) {
  const styles = useStyles()
  return (
    <dl className={styles.tiles}>
      {latest.map(({ name, label, text, level, measuredAt }) => {
        const badge = level && badges[level]
        return (
          <div key={name} className={styles.tile}>
            <dt className={styles.term}>{label}</dt>
            <dd className={styles.value}>
              <span className={styles.number}>{text}</span>
              {level && badge && <StatusBadge status={badge} label={levelLabels[level]} plain />}
              {measuredAt !== newest && <SecondaryText>{times.formatDay(measuredAt)}</SecondaryText>}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

/** The course of a kind of value that was measured at least twice, with a choice between the kinds. */
function Courses({ courses, times }: { courses: readonly Course[]; times: PracticeTimes }) {
  const styles = useStyles()
  const [chosen, setChosen] = useState<string | null>(null)
  const course = courses.find(({ name }) => name === chosen) ?? courses[0]
  if (!course) return null
  const { label, lines, points } = course
  const instants = points.map(({ measuredAt }) => measuredAt)
  return (
    <>
      <Select
        className={styles.choice}
        aria-label="Course"
        value={course.name}
        onChange={(_, { value }) => setChosen(value)}
      >
        {courses.map((each) => (
          <option key={each.name} value={each.name}>
            {each.label}
          </option>
        ))}
      </Select>
      <Suspense
        fallback={
          <div className={styles.loading}>
            <Spinner size="small" aria-label="Loading the chart" />
          </div>
        }
      >
        <CourseChart
          title={label}
          lines={lines}
          labels={labelPoints(instants, times.formatDay, times.formatInstant)}
          values={lines.map((_, index) => points.map(({ values }) => values[index] ?? 0))}
        />
      </Suspense>
    </>
  )
}

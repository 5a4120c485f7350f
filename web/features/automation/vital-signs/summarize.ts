import type { VitalSigns } from '#contracts/vital-signs.ts'
import {
  adultAge,
  computeBodyMassIndex,
  findAdultLevel,
  type VitalLevel,
  type VitalSign,
} from '#contracts/values/vital-signs.ts'
import { formatPressure, vitalSignLabels } from '#web/entities/vital-signs/labels.ts'
import { formatValue, toShown, type Units } from '#web/entities/vital-signs/units.ts'

/** A value as the chart shows it last: `level` is null where it is not known what is usual. */
export type LatestValue = {
  name: VitalSign | 'bloodPressure' | 'bodyMassIndex'
  label: string
  text: string
  level: VitalLevel | null
  /** An ISO instant in UTC. */
  measuredAt: string
}

/** Returns the measurements that count, the last measured first. */
export const sortMeasurements = (all: readonly VitalSigns[]): VitalSigns[] =>
  all
    .filter(({ vitalSignsStatus }) => vitalSignsStatus === 'recorded')
    .toSorted((one, other) => (one.measuredAt < other.measuredAt ? 1 : -1))

const severity: readonly VitalLevel[] = ['usual', 'low', 'high', 'very-low', 'very-high']

/** Returns the graver of two levels. */
const graver = (one: VitalLevel, other: VitalLevel): VitalLevel =>
  severity.indexOf(one) >= severity.indexOf(other) ? one : other

/** Returns whether a person was an adult on a date; false where the birth date is not known. Both are YYYY-MM-DD. */
export function isAdultOn(birthDate: string | null, date: string): boolean {
  if (birthDate === null) return false
  const [year = '', ...day] = birthDate.split('-')
  return `${String(Number(year) + adultAge).padStart(4, '0')}-${day.join('-')}` <= date
}

type About = { birthDate: string | null; units: Units }

const simple = [
  'heartRate',
  'temperature',
  'oxygenSaturation',
  'respiratoryRate',
  'weight',
  'height',
  'painScore',
] as const

/**
 * Returns the body mass index by the last weight. The height of adults is the last that was measured as an adult; that of others has to be
 * of the same measurement.
 */
function findBodyMassIndex(sorted: readonly VitalSigns[], birthDate: string | null) {
  const withWeight = sorted.find(({ weight }) => weight !== null)
  if (!withWeight) return null
  const { weight, measuredAt } = withWeight
  const height =
    withWeight.height ??
    sorted.find((each) => each.height !== null && isAdultOn(birthDate, each.measuredAt.slice(0, 10)))?.height ??
    null
  const bodyMassIndex = computeBodyMassIndex({ weight, height })
  return bodyMassIndex === null ? null : { bodyMassIndex, measuredAt }
}

/** Returns the last measured value of each kind, those of `sorted` being in the order of `sortMeasurements`. */
export function findLatest(sorted: readonly VitalSigns[], { birthDate, units }: About): LatestValue[] {
  const judge = (name: Parameters<typeof findAdultLevel>[0], value: number, measuredAt: string) =>
    isAdultOn(birthDate, measuredAt.slice(0, 10)) && name !== 'weight' && name !== 'height'
      ? findAdultLevel(name, value)
      : null
  const latest: LatestValue[] = []
  const withPressure = sorted.find((each) => formatPressure(each) !== null)
  if (withPressure) {
    const { systolicPressure, diastolicPressure, measuredAt } = withPressure
    const levels = [
      judge('systolicPressure', systolicPressure ?? 0, measuredAt),
      judge('diastolicPressure', diastolicPressure ?? 0, measuredAt),
    ].filter((level) => level !== null)
    latest.push({
      name: 'bloodPressure',
      label: 'Blood pressure',
      text: formatPressure(withPressure) ?? '',
      level: levels.length === 0 ? null : levels.reduce(graver),
      measuredAt,
    })
  }
  for (const name of simple) {
    const found = sorted.find((each) => each[name] !== null)
    const value = found?.[name] ?? null
    if (!found || value === null) continue
    const { measuredAt } = found
    const text = formatValue(name, value, units)
    latest.push({ name, label: vitalSignLabels[name], text, level: judge(name, value, measuredAt), measuredAt })
  }
  const index = findBodyMassIndex(sorted, birthDate)
  if (index) {
    const { bodyMassIndex, measuredAt } = index
    const level = judge('bodyMassIndex', bodyMassIndex, measuredAt)
    latest.push({ name: 'bodyMassIndex', label: 'Body mass index', text: `${bodyMassIndex} kg/m²`, level, measuredAt })
  }
  return latest
}

/** The values of one kind over time: its lines by name, and their points, oldest first. */
export type Course = { name: string; label: string; lines: readonly string[]; points: readonly CoursePoint[] }
type CoursePoint = { measuredAt: string; values: readonly number[] }

/** Returns what was measured at least twice, in shown units. */
export function findCourses(sorted: readonly VitalSigns[], units: Units): Course[] {
  const oldestFirst = sorted.toReversed()
  const pressures = oldestFirst.flatMap(({ measuredAt, systolicPressure, diastolicPressure }) =>
    systolicPressure === null || diastolicPressure === null
      ? []
      : [{ measuredAt, values: [diastolicPressure, systolicPressure] }],
  )
  const courses: Course[] = [
    { name: 'bloodPressure', label: 'Blood pressure', lines: ['Lower', 'Upper'], points: pressures },
    ...simple.map((name) => ({
      name,
      label: vitalSignLabels[name],
      lines: [vitalSignLabels[name]],
      points: oldestFirst.flatMap(({ measuredAt, [name]: value }) =>
        value === null ? [] : [{ measuredAt, values: [toShown(name, value, units)] }],
      ),
    })),
  ]
  return courses.filter(({ points }) => points.length > 1)
}

/** Returns the labels of points in time, each of which is another: those of one day get their time. */
export function labelPoints(
  instants: readonly string[],
  formatDay: (instant: string) => string,
  formatInstant: (instant: string) => string,
): string[] {
  const days = instants.map(formatDay)
  const labels = instants.map((instant, index) => {
    const day = days[index] ?? ''
    return days.filter((each) => each === day).length === 1 ? day : formatInstant(instant)
  })
  return labels.map((label, index) => {
    const before = labels.slice(0, index).filter((each) => each === label).length
    return before === 0 ? label : `${label} (${before + 1})`
  })
}

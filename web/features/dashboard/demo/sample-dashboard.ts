import { samplePeople } from '#contracts/sample-people.ts'
import {
  sampleActivity,
  sampleForms,
  sampleInsights,
  sampleStats,
  sampleSystem,
  sampleTrends,
} from '#contracts/sample-practice.ts'
import { sampleSchedule } from '#contracts/sample-schedule.ts'
import { createDemoFigures } from '../figures/figures.ts'
import { toLoaded } from '../panels/loadable.ts'
import type {
  ActivePatient,
  Dashboard,
  DayAppointment,
  Insight,
  RecentForm,
  SystemState,
  Trend,
} from '../dashboard-model.ts'
import { formatName } from '#web/ui/format.ts'

const msPerDay = 86_400_000

/** Returns the full name of a patient of the sample practice. */
function getSamplePatientName(person: number): string {
  const found = samplePeople[person]
  return found ? formatName(found) : ''
}

/** Creates the twelve sample appointments of a day (YYYY-MM-DD), with their status at a time (HH:mm). */
export const createSampleDay = (today: string, time: string): DayAppointment[] =>
  sampleSchedule(today, time)
    .filter(({ localDate }) => localDate === today)
    .map(({ person, localTime, type, reason, status }) => ({
      id: `sample-${localTime}`,
      time: localTime,
      name: getSamplePatientName(person),
      type,
      reason,
      status,
      isDeceased: false,
      isSample: true,
    }))

const createSampleActivity = (now: Date): ActivePatient[] =>
  sampleActivity.map(({ person, minutesAgo }) => ({
    id: `sample-${person}`,
    name: getSamplePatientName(person),
    at: new Date(now.getTime() - minutesAgo * 60_000).toISOString(),
    isSample: true,
  }))

/** Sample insights for demo users. */
export const demoInsights = toLoaded<readonly Insight[]>(sampleInsights)

/** Creates the sample forms, dated relative to a day (YYYY-MM-DD). */
export const createDemoForms = (today: string): RecentForm[] =>
  sampleForms.map(({ title, person, daysAgo, status, analysed }, index) => ({
    id: `sample-${index}`,
    title,
    name: getSamplePatientName(person),
    day: new Date(Date.parse(`${today}T00:00:00Z`) - daysAgo * msPerDay).toISOString().slice(0, 10),
    status,
    isAnalyzed: analysed,
    isSkipped: false,
  }))

/** Fixed trends of the demo, the same for every period (spec). */
export const demoTrends = toLoaded<readonly Trend[]>(
  sampleTrends.map(({ day, ...counts }) => ({ label: day, ...counts })),
)

/** Fixed system status of the demo (spec). */
export const demoSystem = toLoaded<SystemState>({
  services: sampleSystem.services.map(({ name, status }) => ({
    name,
    status: status === 'rate_limited' ? 'rate-limited' : status,
  })),
  metrics: [
    { label: 'Uptime', value: sampleSystem.uptime },
    { label: 'Response time', value: sampleSystem.responseTime },
  ],
})

/** Creates the dashboard of the sample practice at a local date and time, without calling the server. */
export const createSampleDashboard = (
  now: Date,
  today: string,
  time: string,
): Omit<Dashboard, 'period' | 'onPeriod'> => ({
  isDemo: true,
  hasRecords: false,
  isReadOnly: false,
  now,
  time,
  figures: toLoaded(createDemoFigures(sampleStats)),
  appointments: toLoaded(createSampleDay(today, time)),
  patients: toLoaded(createSampleActivity(now)),
  insights: demoInsights,
  forms: toLoaded(createDemoForms(today)),
  trends: demoTrends,
  system: demoSystem,
})

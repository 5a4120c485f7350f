import { makeStyles, tokens } from '@fluentui/react-components'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Appointment } from '#contracts/appointments.ts'
import { showsSampleData } from '#contracts/values/tiers.ts'
import { listVitalSigns } from '#contracts/vital-signs.ts'
import { call } from '#web/api/call.ts'
import { useCurrentUser, useHasPermission } from '#web/entities/accounts/current-user.ts'
import { recordKeys } from '#web/entities/records/record-keys.ts'
import { formatValues } from '#web/entities/vital-signs/labels.ts'
import { useVitalSignsPlace, vitalSignsKey } from '#web/entities/vital-signs/vital-signs-kind.ts'
import { DetailPair } from '../detail-list.tsx'

/** The most measurements that are named. */
const maxMeasurements = 5

const useStyles = makeStyles({
  link: { display: 'block', padding: '2px 0', color: tokens.colorBrandForegroundLink },
})

type VitalSignsPairProps = { appointment: Pick<Appointment, 'id' | 'status'>; onClose: () => void }

const over: readonly Appointment['status'][] = ['cancelled', 'no-show']

/**
 * The vital signs that were measured at an appointment, with links to them, and one that records some. Nothing for roles that do
 * not read them.
 */
export function VitalSignsPair({ appointment: { id, status }, onClose }: VitalSignsPairProps) {
  const styles = useStyles()
  const user = useCurrentUser()
  const mayRead = useHasPermission('clinical:read')
  const canRecord = useHasPermission('clinical:write') && !over.includes(status)
  const place = useVitalSignsPlace()
  // Demo users have the roadmap in place of the hub.
  const isShown = mayRead && user !== null && user !== undefined && !showsSampleData(user)
  const query = { appointmentId: id, status: 'recorded', limit: maxMeasurements } as const
  const { data } = useQuery({
    queryKey: recordKeys.page(vitalSignsKey, query),
    queryFn: ({ signal }) => call(listVitalSigns, { query }, signal),
    enabled: isShown,
    staleTime: 0,
  })
  if (!data || !place || (data.length === 0 && !canRecord)) return null
  // The lists of records parse their own parameters.
  const toSearch = (more: object) => ({ tab: 'clinical', list: vitalSignsKey, ...more }) as { tab: 'clinical' }
  return (
    <DetailPair term="Vital signs">
      {data.map((measurement) => (
        <Link
          key={measurement.id}
          to="/automation"
          search={toSearch({ record: measurement.id })}
          className={styles.link}
          onClick={onClose}
        >
          {formatValues(measurement, place.units)}
        </Link>
      ))}
      {data.length === 0 && (
        <Link to="/automation" search={toSearch({ appointment: id })} className={styles.link} onClick={onClose}>
          Record vital signs
        </Link>
      )}
    </DetailPair>
  )
}

import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import { AppointmentType } from '#contracts/values/appointments.ts'
import { AppointmentId } from '#contracts/values/ids.ts'

const LocalTime = z.object({ id: AppointmentId, type: AppointmentType, localDate: z.string(), localTime: z.string() })

/** Returns type, date (YYYY-MM-DD) and time (HH:mm) of appointments in a time zone (IANA), in order of their start. */
export const findLocalTimes = (
  db: CommonQueryMethods,
  appointmentIds: readonly string[],
  timeZone: string,
): Promise<readonly z.infer<typeof LocalTime>[]> =>
  db.any(sql.type(LocalTime)`
    select id, type, to_char(starts_at at time zone ${timeZone}, 'YYYY-MM-DD') as "localDate",
      to_char(starts_at at time zone ${timeZone}, 'HH24:MI') as "localTime"
    from read.appointments where id = any(${sql.array(appointmentIds, 'uuid')}) order by starts_at`)

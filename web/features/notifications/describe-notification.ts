import type { FluentIcon } from '@fluentui/react-icons'
import { AlertUrgentRegular } from '@fluentui/react-icons/svg/alert-urgent'
import { CalendarArrowRightRegular } from '@fluentui/react-icons/svg/calendar-arrow-right'
import { CalendarCancelRegular } from '@fluentui/react-icons/svg/calendar-cancel'
import { CalendarClockRegular } from '@fluentui/react-icons/svg/calendar-clock'
import { ChatRegular } from '@fluentui/react-icons/svg/chat'
import { ClipboardTextLtrRegular } from '@fluentui/react-icons/svg/clipboard-text-ltr'
import { PaymentRegular } from '@fluentui/react-icons/svg/payment'
import { PeopleCheckmarkRegular } from '@fluentui/react-icons/svg/people-checkmark'
import { PeopleErrorRegular } from '@fluentui/react-icons/svg/people-error'
import { PersonAddRegular } from '@fluentui/react-icons/svg/person-add'
import { ShieldErrorRegular } from '@fluentui/react-icons/svg/shield-error'
import type { Notification } from '#contracts/notifications.ts'
import { formTypeLabels } from '#web/entities/forms/form-labels.ts'
import { formatCents } from '#web/entities/billing/prices.ts'
import { formatBillingDate } from '#web/entities/billing/subscription.ts'
import { formatTime, formatWeekdayDate } from '#web/ui/dates.ts'
import { formatCount, formatName } from '#web/ui/format.ts'

/** A notification as the list shows it. */
type Description = {
  icon: FluentIcon
  /** Color of the icon; neutral by default. */
  tone?: 'danger' | 'warning'
  title: string
  detail: string
  /** The address of the record. */
  href: string
}

type Start = { localDate: string; localTime: string }

const formatStart = ({ localDate, localTime }: Start) => `${formatWeekdayDate(localDate)}, ${formatTime(localTime)}`

type OfAppointment = Extract<Notification, { appointmentId: string }>

const nameAppointment = ({ patient, localTime }: OfAppointment) =>
  patient ? `${formatTime(localTime)} with ${formatName(patient)}` : `An appointment at ${formatTime(localTime)}`

const toAppointmentHref = (date: string, appointmentId: string) =>
  `/appointments?date=${date}&appointment=${appointmentId}`

/** Returns title, detail, icon and address of a notification. `hasLapsed`: the practice's plan has ended. */
export function describeNotification(notification: Notification, hasLapsed: boolean): Description {
  switch (notification.kind) {
    case 'appointment-cancelled':
      return {
        icon: CalendarCancelRegular,
        title: `${nameAppointment(notification)} was cancelled`,
        detail: formatWeekdayDate(notification.localDate),
        href: toAppointmentHref(notification.localDate, notification.appointmentId),
      }
    case 'appointment-moved':
      return {
        icon: CalendarArrowRightRegular,
        title: `${nameAppointment(notification)} was moved`,
        detail: `From ${formatWeekdayDate(notification.localDate)} to ${formatStart(notification.movedTo)}`,
        href: toAppointmentHref(notification.movedTo.localDate, notification.appointmentId),
      }
    case 'emergency-booked': {
      const { localDate, localTime, patient, appointmentId } = notification
      return {
        icon: AlertUrgentRegular,
        tone: 'danger',
        title: `Emergency at ${formatTime(localTime)}`,
        detail: [patient && formatName(patient), formatWeekdayDate(localDate)].filter(Boolean).join(', '),
        href: toAppointmentHref(localDate, appointmentId),
      }
    }
    case 'slot-freed': {
      const { localDate, duration, provider, candidates } = notification
      const slot = `${formatCount(duration, 'minute')}${provider ? ` with ${provider}` : ''}`
      return {
        icon: CalendarClockRegular,
        title: `A slot is free on ${formatStart(notification)}`,
        detail: `${slot}, for ${formatCount(candidates, 'patient')} on the waitlist`,
        href: `/appointments?date=${localDate}&provider=all`,
      }
    }
    case 'confirmation-declined':
      return {
        icon: CalendarCancelRegular,
        tone: 'warning',
        title: `${notification.patient ? formatName(notification.patient) : 'A patient'} declined an appointment`,
        detail: formatStart(notification),
        href: toAppointmentHref(notification.localDate, notification.appointmentId),
      }
    case 'offer-accepted':
      return {
        icon: CalendarClockRegular,
        title: `${notification.patient ? formatName(notification.patient) : 'A patient'} took an offered time`,
        detail: formatStart(notification),
        href: toAppointmentHref(notification.localDate, notification.appointmentId),
      }
    case 'message-received':
      return {
        icon: ChatRegular,
        title: `New message${notification.patient ? ` from ${formatName(notification.patient)}` : ''}`,
        detail: 'Not read yet',
        href: `/automation?tab=phone&list=patient-communications&record=${notification.communicationId}`,
      }
    case 'form-submitted':
      return {
        icon: ClipboardTextLtrRegular,
        title: `New form${notification.patient ? ` from ${formatName(notification.patient)}` : ''}`,
        detail: formTypeLabels[notification.formType],
        href: `/forms/${notification.formId}`,
      }
    case 'form-urgent':
      return {
        icon: AlertUrgentRegular,
        tone: 'danger',
        title: `Urgent finding${notification.patient ? ` for ${formatName(notification.patient)}` : ''}`,
        detail: `${formTypeLabels[notification.formType]}, not reviewed yet`,
        href: `/forms/${notification.formId}`,
      }
    case 'coverage-denied':
    case 'coverage-expired':
      return {
        icon: ShieldErrorRegular,
        tone: 'warning',
        title: notification.kind === 'coverage-denied' ? 'Coverage denied' : 'Coverage expired',
        detail: notification.patient ? formatName(notification.patient) : 'Open the verification',
        href: `/insurance?verification=${notification.verificationId}`,
      }
    case 'import-finished': {
      const { created, skipped, failed, importId } = notification
      const parts = [
        created !== undefined && `${formatCount(created, 'patient')} added`,
        skipped && `${formatCount(skipped, 'row')} skipped`,
        failed && `${formatCount(failed, 'row')} not imported`,
      ]
      return {
        icon: PeopleCheckmarkRegular,
        title: 'Patient import finished',
        detail: parts.filter(Boolean).join(', '),
        href: `/patients/import?id=${importId}`,
      }
    }
    case 'import-failed':
      return {
        icon: PeopleErrorRegular,
        tone: 'danger',
        title: 'Patient import needs attention',
        detail: 'Open it to continue',
        href: `/patients/import?id=${notification.importId}`,
      }
    case 'member-joined':
      return {
        icon: PersonAddRegular,
        title: `${notification.name ?? 'A new member'} joined the team`,
        detail: 'Invitation accepted',
        href: '/team',
      }
    case 'payment-failed':
      return {
        icon: PaymentRegular,
        tone: 'danger',
        title: `A payment of ${formatCents(notification.amount.cents)} failed`,
        detail: hasLapsed ? 'Your plan has ended' : 'Update the card to keep your plan',
        href: '/manage-subscription',
      }
    case 'subscription-ending':
      return {
        icon: PaymentRegular,
        tone: 'warning',
        title: `Your plan ends on ${formatBillingDate(notification.endsAt)}`,
        detail: 'Reactivate it to keep its features',
        href: '/manage-subscription',
      }
    case 'subscription-canceled':
      return {
        icon: PaymentRegular,
        tone: 'warning',
        title: 'Your plan has ended',
        detail: 'Choose a plan to continue',
        href: '/subscription',
      }
  }
}

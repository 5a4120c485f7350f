import { canReceiveTexts, parseStoredPhone } from '#contracts/values/phone.ts'
import { formatName } from '#web/ui/format.ts'
import { makeStyles, mergeClasses, Text, tokens } from '@fluentui/react-components'
import { CallRegular } from '@fluentui/react-icons/svg/call'
import { LocationRegular } from '@fluentui/react-icons/svg/location'
import { MailRegular } from '@fluentui/react-icons/svg/mail'
import { QuestionCircleRegular } from '@fluentui/react-icons/svg/question-circle'
import { ShieldCheckmarkRegular } from '@fluentui/react-icons/svg/shield-checkmark'
import { WarningFilled } from '@fluentui/react-icons/svg/warning'
import type { AllergiesStatus, Patient } from '#contracts/patients.ts'
import { usePracticeToday } from '#web/entities/practices/practice-time.ts'
import { formatAge } from '#web/ui/dates.ts'
import { PersonAvatar, RecordId } from '#web/ui/person.tsx'
import { ContactLine, DetailLines, DetailPairs, Section, DetailText } from './details-parts.tsx'
import { PatientStatus } from '../list/patient-columns.tsx'
import { detailFieldNames, findField } from '../fields.ts'
import { formatContact, formatField, genderLabels, formatMedication } from '../labels.ts'
import type { PatientSections } from './patient-sections.ts'

const useStyles = makeStyles({
  head: { display: 'flex', alignItems: 'center', columnGap: '16px', padding: '4px 0 16px' },
  text: { minWidth: 0, flexGrow: 1 },
  name: {
    margin: 0,
    fontSize: tokens.fontSizeBase500,
    lineHeight: tokens.lineHeightBase500,
    fontWeight: tokens.fontWeightSemibold,
    letterSpacing: '-0.01em',
    overflowWrap: 'anywhere',
  },
  meta: {
    display: 'flex',
    flexWrap: 'wrap',
    columnGap: '10px',
    alignItems: 'center',
    color: tokens.colorNeutralForeground3,
  },
  allergies: {
    display: 'flex',
    alignItems: 'flex-start',
    columnGap: '8px',
    padding: '10px 12px',
    borderRadius: tokens.borderRadiusLarge,
    overflowWrap: 'anywhere',
  },
  listed: { backgroundColor: tokens.colorStatusDangerBackground1, color: tokens.colorStatusDangerForeground1 },
  noneKnown: { backgroundColor: tokens.colorStatusSuccessBackground1, color: tokens.colorStatusSuccessForeground1 },
  unknown: {
    border: `1px dashed ${tokens.colorNeutralStroke1}`,
    color: tokens.colorNeutralForeground2,
  },
  icon: { flexShrink: 0 },
})

const splitLines = (text: string | null | undefined) => (text ?? '').split('\n').filter((line) => line.trim() !== '')

function Allergies({ status, allergies }: { status: AllergiesStatus; allergies: readonly string[] }) {
  const styles = useStyles()
  const { style, Icon, text } = {
    unknown: { style: styles.unknown, Icon: QuestionCircleRegular, text: 'Allergies unknown: not asked yet' },
    'none-known': { style: styles.noneKnown, Icon: ShieldCheckmarkRegular, text: 'No known allergies' },
    listed: { style: styles.listed, Icon: WarningFilled, text: `Allergic to ${allergies.join(', ')}` },
  }[status]
  return (
    <div className={mergeClasses(styles.allergies, style)}>
      <Icon className={styles.icon} fontSize={20} aria-hidden />
      <Text weight={status === 'unknown' ? 'regular' : 'semibold'}>{text}</Text>
    </div>
  )
}

/** A record at a glance, allergies first. Health data appears only when the reply contains it. */
export function PatientRecord({ patient, sections }: { patient: Patient; sections: PatientSections }) {
  const styles = useStyles()
  const today = usePracticeToday()
  const { email, phone, phoneNational, address, dateOfBirth, gender, deceasedOn, insuranceInfo } = patient
  const { allergies, allergiesStatus, medicalHistory, medications } = patient
  return (
    <>
      <div className={styles.head}>
        <PersonAvatar name={formatName(patient)} size={56} />
        <span className={styles.text}>
          <h2 className={styles.name} dir="auto">
            {formatName(patient)}
          </h2>
          <span className={styles.meta}>
            <RecordId id={patient.id} />
            {dateOfBirth && <span>{formatAge(dateOfBirth, deceasedOn ?? today)}</span>}
            {gender && <span>{genderLabels[gender]}</span>}
          </span>
        </span>
        <PatientStatus patient={patient} />
      </div>
      {allergies && allergiesStatus && <Allergies status={allergiesStatus} allergies={allergies} />}
      <Section title="Contact">
        <ContactLine icon={MailRegular} label="Email" value={email} href={`mailto:${email}`} />
        <ContactLine
          icon={CallRegular}
          label="Phone"
          value={phoneNational ?? phone}
          href={phone !== null && parseStoredPhone(phone).number !== null ? `tel:${phone}` : undefined}
          note={phone === null || canReceiveTexts(phone) ? undefined : 'No text messages'}
        />
        <ContactLine icon={LocationRegular} label="Address" value={address} />
      </Section>
      {sections.vitalSigns && <Section title="Vital signs">{sections.vitalSigns(patient)}</Section>}
      {sections.appointments && <Section title="Appointments">{sections.appointments(patient)}</Section>}
      {sections.forms && <Section title="Forms">{sections.forms(patient)}</Section>}
      <Section title="Personal">
        <DetailPairs
          rows={[
            ...detailFieldNames.flatMap((field) => {
              const { label, details } = findField(field)
              const value = formatField(patient, field)
              const emptyText = details?.emptyText ?? null
              return value === '' && emptyText === null ? [] : [[label, value, emptyText ?? undefined] as const]
            }),
            ['Emergency contact', patient.emergencyContact && formatContact(patient.emergencyContact)],
          ]}
        />
      </Section>
      {medicalHistory !== undefined && (
        <Section title="Medical history">
          <DetailLines lines={splitLines(medicalHistory)} emptyText="Nothing recorded" />
        </Section>
      )}
      {medications && (
        <Section title="Medications">
          <DetailLines lines={medications.map(formatMedication)} emptyText="Nothing recorded" />
        </Section>
      )}
      <Section title="Insurance">
        {insuranceInfo ? (
          <DetailPairs
            rows={[
              ['Provider', insuranceInfo.provider],
              ['Policy number', insuranceInfo.policyNumber],
              ['Group number', insuranceInfo.groupNumber],
              ['Member name', insuranceInfo.memberName],
            ]}
          />
        ) : (
          <DetailText text={null} emptyText="Not provided" />
        )}
      </Section>
      {sections.verifications && <Section title="Insurance verification">{sections.verifications(patient)}</Section>}
      {sections.records && <Section title="Records">{sections.records(patient)}</Section>}
      <Section title="Notes">
        <DetailText text={patient.notes} emptyText="No notes" />
      </Section>
    </>
  )
}

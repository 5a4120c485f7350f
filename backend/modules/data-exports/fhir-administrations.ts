import type { MedicationAdministration } from '#contracts/medication-administrations.ts'
import type { AdministrationRoute } from '#contracts/values/medication-administrations.ts'
import { compact, type Resource, toCoding, toReference, toText } from './fhir.ts'

/** An administration as its reader returns it. */
export type ExportedAdministration = Omit<
  MedicationAdministration,
  'administrationStatus' | 'patientName' | 'revision' | 'sample' | 'createdAt'
> & { status: MedicationAdministration['administrationStatus'] }

/** The codes of HL7's v3 RouteOfAdministration (https://terminology.hl7.org/CodeSystem-v3-RouteOfAdministration.html). */
const routeCodes: Readonly<Partial<Record<AdministrationRoute, string>>> = {
  oral: 'PO',
  intramuscular: 'IM',
  subcutaneous: 'SQ',
  intradermal: 'IDINJ',
  intravenous: 'IVINJ',
  topical: 'TOPICAL',
}

function toRoute(route: AdministrationRoute) {
  const code = routeCodes[route]
  return { ...(code === undefined ? {} : toCoding('v3-RouteOfAdministration', code)), text: route }
}

/** Returns a dose: its number and its unit where it has both, else its text as the unit. */
function toDose(dose: string) {
  const [, value, unit] = /^(\d{1,9}(?:\.\d{1,6})?)\s*(\D.*)$/.exec(dose) ?? []
  return value === undefined || unit === undefined ? { unit: dose } : { value: Number(value), unit }
}

/** Returns a vaccine as an Immunization, and another medication as a MedicationAdministration. */
export const toAdministration = (administration: ExportedAdministration): Resource =>
  administration.kind === 'vaccine' ? toImmunization(administration) : toMedicationAdministration(administration)

const toCommon = ({ id, updatedAt, status, reaction, notes }: ExportedAdministration) => ({
  id,
  meta: compact({ lastUpdated: updatedAt }),
  status: status === 'given' ? 'completed' : 'entered-in-error',
  note: [reaction === null ? null : `Reaction: ${reaction}`, notes].flatMap((text) => toText(text) ?? []),
})

const toManufacturer = (manufacturer: string | null) => (manufacturer === null ? undefined : { display: manufacturer })

function toImmunization(administration: ExportedAdministration): Resource {
  const { patientId, medication, dose, route, site, lotNumber, expiresOn, administeredAt, orderedBy } = administration
  return compact({
    resourceType: 'Immunization',
    ...toCommon(administration),
    vaccineCode: { text: medication },
    patient: toReference('Patient', patientId),
    occurrenceDateTime: administeredAt,
    primarySource: true,
    manufacturer: toManufacturer(administration.manufacturer),
    lotNumber,
    expirationDate: expiresOn,
    site: toText(site),
    route: toRoute(route),
    doseQuantity: toDose(dose),
    performer:
      orderedBy === null
        ? []
        : [{ function: toCoding('v2-0443', 'OP'), actor: toReference('Practitioner', orderedBy) }],
  })
}

/** The resource has no element for a lot: a medication that it contains has. */
function toMedicationAdministration(administration: ExportedAdministration): Resource {
  const { patientId, medication, dose, route, site, lotNumber, expiresOn, administeredAt, manufacturer } =
    administration
  const batch = compact({ lotNumber, expirationDate: expiresOn })
  const isKnown = manufacturer !== null || Object.keys(batch).length > 0
  const contained = compact({
    resourceType: 'Medication',
    id: 'given',
    code: { text: medication },
    manufacturer: toManufacturer(manufacturer),
    batch,
  })
  return compact({
    resourceType: 'MedicationAdministration',
    ...toCommon(administration),
    contained: isKnown ? [contained] : [],
    ...(isKnown
      ? { medicationReference: { reference: '#given' } }
      : { medicationCodeableConcept: { text: medication } }),
    subject: toReference('Patient', patientId),
    effectiveDateTime: administeredAt,
    dosage: compact({ text: dose, site: toText(site), route: toRoute(route), dose: toDose(dose) }),
  })
}

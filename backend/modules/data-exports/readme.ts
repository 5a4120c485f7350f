/** Returns the text that explains the files of an archive. Lines end as programs on Windows expect it. */
export const readme = (practiceName: string, now: Date): string =>
  `Data of ${practiceName}, exported from Everchart at ${now.toISOString()}.

This archive contains health data. Keep it encrypted, and delete it when you no longer need it.

csv/   Tables for Excel and other programs, in UTF-8. Instants are in UTC; local dates and times are those of the practice.
       An apostrophe stands before a text that a spreadsheet would run as a formula.
fhir/  The same records as HL7 FHIR R4 resources (https://hl7.org/fhir/R4), one JSON object per line. Fees, the notes of
       patients, and what FHIR does not know are only in the tables. Entries of the waitlist are appointments with the status
       "waitlist". Forms are there as questionnaire responses; what was found in them, insurance verifications, calls,
       messages and the other records are only in the tables. Patients who were removed but have appointments are not
       active.

Records of the sample practice have "true" in the column "sample", and the tag HTEST.
`.replaceAll('\n', '\r\n')

import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Patient } from '#contracts/patients.ts'
import { patientQuery } from './patient-query.ts'

/** Loads the patient whom the screen before named, and hands them on once: the user may choose another one. */
export function useNamedPatient(patientId: string | undefined, onLoaded: (patient: Patient) => void): void {
  const { data: named } = useQuery({ ...patientQuery(patientId ?? ''), enabled: patientId !== undefined })
  const [isChosen, setChosen] = useState(false)
  useEffect(() => {
    if (!named || isChosen) return
    setChosen(true)
    onLoaded(named)
    // Once: the user may choose another patient.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [named])
}

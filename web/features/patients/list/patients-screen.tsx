import { AddRegular } from '@fluentui/react-icons/svg/add'
import { BuildingPeopleRegular } from '@fluentui/react-icons/svg/building-people'
import { useQuery } from '@tanstack/react-query'
import { type AnyRouter, useNavigate, useParams, useRouter, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Patient } from '#contracts/patients.ts'
import { useCurrentUser, useHasPermission } from '#web/entities/accounts/current-user.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { HeaderAction } from '#web/ui/header-action.tsx'
import { createLate } from '#web/ui/late.tsx'
import { Page } from '#web/ui/page.tsx'
import { useShortcut } from '#web/ui/shortcuts.ts'
import { useIsPainted } from '#web/ui/use-is-painted.ts'
import { focusFirstRow } from '#web/ui/use-row-navigation.ts'
import { pageSize, patientsQuery } from '../api.ts'
import type { PatientSections } from '../details/patient-sections.ts'
import { practiceQuery } from '#web/entities/practices/practice-query.ts'
import type { PatientsDialog } from '../form/patient-dialogs.tsx'
import { parsePatientsSearch, toPatientSort } from './patients-search.ts'
import { type ListKey, PatientsBar } from './patients-bar.tsx'
import { PatientsList } from './patients-list.tsx'

const PatientDetails = createLate(() => import('../details/patient-details.tsx').then(({ PatientDetails: it }) => it))
const PatientDialogs = createLate(() => import('../form/patient-dialogs.tsx').then(({ PatientDialogs: it }) => it))

type PatientsScreenProps = {
  sections: PatientSections
}

/** Screen of the patients of a practice: search, details, and the dialogs to add, edit and delete. */
export function PatientsScreen(props: PatientsScreenProps) {
  const practiceId = useCurrentUser()?.practiceId
  const practice = useQuery({ ...practiceQuery(practiceId ?? ''), enabled: Boolean(practiceId) })
  const navigate = useNavigate()
  if (practiceId)
    return <Patients {...props} subtitle={`Everyone in the care of ${practice.data?.name ?? 'your practice'}`} />
  return (
    <Page title="Patient Management">
      <EmptyState
        icon={BuildingPeopleRegular}
        title="Set up your practice first"
        hint="Patients belong to a practice. It takes two minutes."
        action="Set up your practice"
        onAction={() => void navigate({ to: '/onboarding' })}
      />
    </Page>
  )
}

/** Returns whether the user has left the list, which is still mounted while the next screen is loading. */
const hasLeft = ({ latestLocation: { pathname } }: AnyRouter) =>
  pathname === '/patients/import' || !/^\/patients(\/|$)/.test(pathname)

function Patients({ subtitle, sections }: PatientsScreenProps & { subtitle: string }) {
  // Parsed again: the router keeps URL parameters that the route does not know.
  const search = useSearch({ from: '/shell/patients', select: parsePatientsSearch })
  const { patientId } = useParams({ strict: false })
  const navigate = useNavigate()
  const router = useRouter()
  const canWrite = useHasPermission('patients:write')
  const [dialog, setDialog] = useState<PatientsDialog | null>(search.new && canWrite ? { dialog: 'add' } : null)
  // The URL may ask for the form while the list is shown, such as from the command palette.
  const [wasNew, setWasNew] = useState(search.new)
  if (search.new !== wasNew) {
    setWasNew(search.new)
    if (search.new && canWrite) setDialog({ dialog: 'add' })
  }
  const [isTyping, setIsTyping] = useState(false)
  const searchInput = useRef<HTMLInputElement>(null)
  const isPainted = useIsPainted()
  const list = useQuery(patientsQuery(search))
  useShortcut('/', 'Search patients', () => searchInput.current?.focus())

  const close = () => {
    setDialog(null)
    if (search.new) void navigate({ to: '.', search: ({ new: _, ...rest }) => rest, replace: true })
  }
  const openPatient = useCallback(
    (id: string) => void navigate({ to: '/patients/$patientId', params: { patientId: id }, search: (now) => now }),
    [navigate],
  )
  const onOpen = useCallback(({ id }: Patient) => openPatient(id), [openPatient])
  const onEdit = useCallback(({ id }: Patient) => setDialog({ dialog: 'edit', patientId: id }), [])
  const onDelete = useCallback((patient: Patient) => setDialog({ dialog: 'delete', patient }), [])
  const closePatient = () => void navigate({ to: '/patients', search: (now) => now, replace: true })

  const enterList = (key: ListKey) => {
    const first = list.data?.items[0]
    if (key === 'Enter' && first && list.data?.total === 1) openPatient(first.id)
    else focusFirstRow()
  }

  const total = list.data && !list.isPlaceholderData ? list.data.total : undefined
  const lastPage = total === undefined ? undefined : Math.max(1, Math.ceil(total / pageSize))
  const { page = 1 } = search
  useEffect(() => {
    // The last patient on the last page was deleted, or the URL is out of date.
    if (lastPage === undefined || page <= lastPage || hasLeft(router)) return
    const { page: _, ...rest } = search
    void navigate({ to: '.', search: lastPage > 1 ? { ...rest, page: lastPage } : rest, replace: true })
  }, [lastPage, page, search, navigate, router])

  return (
    <Page
      title="Patient Management"
      subtitle={subtitle}
      action={canWrite && <AddPatientAction onAdd={() => setDialog({ dialog: 'add' })} />}
    >
      <PatientsBar
        search={search.search ?? ''}
        total={list.data?.total ?? null}
        canImport={canWrite}
        isListCurrent={!list.isFetching && !list.isPlaceholderData}
        inputRef={searchInput}
        onEnterList={enterList}
        onTyping={setIsTyping}
        onSearch={(typed) => {
          if (hasLeft(router)) return
          void navigate({
            to: '/patients',
            search: { sort: search.sort, ...(typed ? { search: typed } : {}) },
            replace: true,
          })
        }}
      />
      <PatientsList
        list={list}
        isTyping={isTyping}
        canWrite={canWrite}
        search={search}
        current={patientId}
        onSort={(sort) => {
          const { page: _page, sort: _sort, ...rest } = search
          void navigate({ to: '.', search: { ...rest, sort: toPatientSort(sort, search) } })
        }}
        onPage={(next) => {
          const { page: _, ...rest } = search
          void navigate({ to: '.', search: next > 1 ? { ...rest, page: next } : rest })
        }}
        onOpen={onOpen}
        onEdit={onEdit}
        onDelete={onDelete}
        onAdd={() => setDialog({ dialog: 'add' })}
      />
      {(isPainted || patientId !== undefined) && (
        <PatientDetails
          patientId={patientId}
          sections={sections}
          onClose={closePatient}
          {...(canWrite && { onEdit: (id: string) => setDialog({ dialog: 'edit', patientId: id }) })}
        />
      )}
      {dialog && (
        <PatientDialogs
          dialog={dialog}
          onClose={close}
          onOpen={openPatient}
          onDeleted={({ id }) => {
            close()
            if (patientId === id) closePatient()
          }}
        />
      )}
    </Page>
  )
}

/** Button that adds a patient, with its shortcut. */
function AddPatientAction({ onAdd }: { onAdd: () => void }) {
  useShortcut('n', 'Add a patient', onAdd)
  return <HeaderAction label="Add Patient" icon={<AddRegular />} onClick={onAdd} />
}

import { AddRegular } from '@fluentui/react-icons/svg/add'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { InsuranceVerification } from '#contracts/insurance.ts'
import { useHasPermission } from '#web/entities/accounts/current-user.ts'
import { GatedPage } from '#web/entities/billing/feature-gate.tsx'
import { HeaderAction } from '#web/ui/header-action.tsx'
import { NotAllowed } from '#web/ui/not-allowed.tsx'
import { Page } from '#web/ui/page.tsx'
import { useShortcut } from '#web/ui/shortcuts.ts'
import { useCursorPages } from '#web/ui/use-cursor-pages.ts'
import { useChangeStatus, verificationCountsQuery, verificationsQuery } from './api.ts'
import { EditVerificationDialog } from './edit-verification-dialog.tsx'
import { InsuranceBar } from './insurance-bar.tsx'
import { InsuranceCounts } from './insurance-counts.tsx'
import { type InsuranceSearch, parseInsuranceSearch, toFilters } from './insurance-search.ts'
import { NewVerificationDialog } from './new-verification-dialog.tsx'
import { VerificationDetailsDrawer } from './verification-details.tsx'
import { VerificationsList } from './verifications-list.tsx'

const title = 'Insurance Management'

/** Screen of the verifications of insurance: figures, list, details, and the dialogs to add and edit one. */
export function InsuranceScreen() {
  const mayOpen = useHasPermission('insurance')
  return (
    <GatedPage feature="insurance-verification" title={title}>
      {mayOpen ? (
        <Insurance />
      ) : (
        <Page title={title}>
          <NotAllowed title="Your role does not include insurance" hint="Ask the owner of the practice." />
        </Page>
      )}
    </GatedPage>
  )
}

type InsuranceDialog = { dialog: 'new' } | { dialog: 'edit'; verificationId: string } | null

function Insurance() {
  // Parsed again: the router keeps URL parameters that the route does not know.
  const search = useSearch({ from: '/shell/insurance', select: parseInsuranceSearch })
  const navigate = useNavigate()
  const router = useRouter()
  const [dialog, setDialog] = useState<InsuranceDialog>(search.new ? { dialog: 'new' } : null)
  // The URL may ask for the dialog while the list is shown, such as from the command palette.
  const [wasNew, setWasNew] = useState(search.new)
  if (search.new !== wasNew) {
    setWasNew(search.new)
    if (search.new) setDialog({ dialog: 'new' })
  }
  const searchInput = useRef<HTMLInputElement>(null)
  const list = useQuery(verificationsQuery(search))
  const { refetch: refetchCounts } = useQuery(verificationCountsQuery)
  const { changeStatus } = useChangeStatus()
  useShortcut('/', 'Search verifications', () => searchInput.current?.focus())

  const openPage = useCursorPages(
    toFilters(search),
    search,
    list.data?.next,
    (place) => void navigate({ to: '/insurance', search: { ...toFilters(search), ...place } }),
  )
  const filter = (filters: InsuranceSearch) => {
    // The list is still mounted while the next screen is loading.
    if (!/^\/insurance\/?$/.test(router.latestLocation.pathname)) return
    // A verification that was opened right after typing stays open.
    const opened = search.verification ? { verification: search.verification } : {}
    void navigate({ to: '/insurance', search: { ...toFilters(filters), ...opened }, replace: true })
  }
  const openNew = () => setDialog({ dialog: 'new' })
  const close = () => {
    setDialog(null)
    if (search.new) void navigate({ to: '.', search: ({ new: _, patient: __, ...rest }) => rest, replace: true })
  }
  const open = ({ id }: InsuranceVerification) =>
    void navigate({ to: '/insurance', search: { ...search, verification: id } })
  const closeDetails = () => {
    const { verification: _, ...rest } = search
    void navigate({ to: '/insurance', search: rest, replace: true })
  }
  return (
    <Page
      title={title}
      subtitle="Who is covered, by whom, and until when"
      action={<NewVerificationAction onNew={openNew} />}
    >
      <InsuranceCounts />
      <InsuranceBar
        filters={toFilters(search)}
        total={list.data?.total ?? null}
        inputRef={searchInput}
        onFilter={filter}
        onRefresh={() => void Promise.all([list.refetch(), refetchCounts()])}
      />
      <VerificationsList
        list={list}
        search={search}
        onPage={openPage}
        onOpen={open}
        onEdit={({ id }) => setDialog({ dialog: 'edit', verificationId: id })}
        onStatus={changeStatus}
        onOpenPatient={({ patientId }) => void navigate({ to: '/patients/$patientId', params: { patientId } })}
        onAdd={openNew}
        onClear={() => filter({})}
      />
      <VerificationDetailsDrawer
        verificationId={search.verification}
        onClose={closeDetails}
        onEdit={(verificationId) => setDialog({ dialog: 'edit', verificationId })}
      />
      {dialog?.dialog === 'new' && <NewVerificationDialog patientId={search.patient} onClose={close} />}
      {dialog?.dialog === 'edit' && <EditVerificationDialog verificationId={dialog.verificationId} onClose={close} />}
    </Page>
  )
}

/** Button that adds a verification, with its shortcut. */
function NewVerificationAction({ onNew }: { onNew: () => void }) {
  useShortcut('n', 'New verification', onNew)
  return <HeaderAction label="New Verification" icon={<AddRegular />} onClick={onNew} />
}

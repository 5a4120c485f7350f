import { AddRegular } from '@fluentui/react-icons/svg/add'
import { BuildingPeopleRegular } from '@fluentui/react-icons/svg/building-people'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { Form } from '#contracts/forms.ts'
import { useCurrentUser, useHasPermission } from '#web/entities/accounts/current-user.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { HeaderAction } from '#web/ui/header-action.tsx'
import { Page } from '#web/ui/page.tsx'
import { useShortcut } from '#web/ui/shortcuts.ts'
import { useCursorPages } from '#web/ui/use-cursor-pages.ts'
import { formsQuery } from '../api.ts'
import { useCanFill } from '../use-can-fill.ts'
import { LinkDialog, type NewLink } from '../link/link-dialog.tsx'
import { CreateFormDialog } from './create-form-dialog.tsx'
import { FormCounts } from './form-counts.tsx'
import { FormsBar } from './forms-bar.tsx'
import { FormsList } from './forms-list.tsx'
import { type FormsSearch, parseFormsSearch } from './forms-search.ts'

const title = 'Forms & Intake'

/** Screen of the forms of a practice: figures, list, and the dialog to create one. */
export function FormsScreen() {
  const hasPractice = Boolean(useCurrentUser()?.practiceId)
  const navigate = useNavigate()
  if (hasPractice) return <Forms />
  return (
    <Page title={title}>
      <EmptyState
        icon={BuildingPeopleRegular}
        title="Set up your practice first"
        hint="Forms belong to the patients of a practice. It takes two minutes."
        action="Set up your practice"
        onAction={() => void navigate({ to: '/onboarding' })}
      />
    </Page>
  )
}

/** The filters of the list without its page. */
const toFilters = ({ type, status, search }: FormsSearch): FormsSearch => ({
  ...(type ? { type } : {}),
  ...(status ? { status } : {}),
  ...(search ? { search } : {}),
})

function Forms() {
  // Parsed again: the router keeps URL parameters that the route does not know.
  const search = useSearch({ from: '/shell/forms', select: parseFormsSearch })
  const navigate = useNavigate()
  const router = useRouter()
  const canCreate = useHasPermission('patients:write')
  const canFill = useCanFill()
  const [isCreating, setIsCreating] = useState(Boolean(search.new) && canCreate)
  // The URL may ask for the dialog while the list is shown, such as from the command palette.
  const [wasNew, setWasNew] = useState(search.new)
  if (search.new !== wasNew) {
    setWasNew(search.new)
    if (search.new && canCreate) setIsCreating(true)
  }
  const searchInput = useRef<HTMLInputElement>(null)
  const list = useQuery(formsQuery(search))
  useShortcut('/', 'Search forms', () => searchInput.current?.focus())

  const openPage = useCursorPages(
    toFilters(search),
    search,
    list.data?.next,
    (place) => void navigate({ to: '/forms', search: { ...toFilters(search), ...place } }),
  )
  const filter = (filters: FormsSearch) => {
    // The list is still mounted while the next screen is loading.
    if (!/^\/forms\/?$/.test(router.latestLocation.pathname)) return
    void navigate({ to: '/forms', search: toFilters(filters), replace: true })
  }
  const close = () => {
    setIsCreating(false)
    if (search.new)
      void navigate({ to: '.', search: ({ new: _new, patient: _patient, ...rest }) => rest, replace: true })
  }
  /** The form whose link is shown; null as its link until there is one. */
  const [linked, setLinked] = useState<{ form: Form; link: NewLink | null } | null>(null)
  const [created, setCreated] = useState<Form | null>(null)
  useEffect(() => {
    // Once the dialog is gone, which would ask whether to discard its input.
    if (!created) return
    const to = canFill(created) ? '/forms/$formId/fill' : '/forms/$formId'
    void navigate({ to, params: { formId: created.id }, replace: search.new === true })
    // Only for a new form.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [created])
  const open = ({ id }: Form) => void navigate({ to: '/forms/$formId', params: { formId: id } })
  const fill = ({ id }: Form) => void navigate({ to: '/forms/$formId/fill', params: { formId: id } })
  return (
    <Page
      title={title}
      subtitle="What patients sent, and what waits for you"
      action={canCreate && <CreateFormAction onCreate={() => setIsCreating(true)} />}
    >
      <FormCounts />
      <FormsBar filters={toFilters(search)} total={list.data?.total ?? null} inputRef={searchInput} onFilter={filter} />
      <FormsList
        list={list}
        search={search}
        canCreate={canCreate}
        canFill={canFill}
        onPage={openPage}
        onOpen={open}
        onFill={fill}
        onSendLink={(form) => setLinked({ form, link: null })}
        onOpenPatient={({ patientId }) => void navigate({ to: '/patients/$patientId', params: { patientId } })}
        onCreate={() => setIsCreating(true)}
        onClear={() => filter({})}
      />
      {isCreating && (
        <CreateFormDialog
          patientId={search.patient}
          onClose={close}
          onCreated={(form, link) => {
            if (link === undefined) setIsCreating(false)
            else close()
            if (link === undefined) setCreated(form)
            else setLinked({ form, link })
          }}
        />
      )}
      {linked && <LinkDialog form={linked.form} initial={linked.link} onClose={() => setLinked(null)} />}
    </Page>
  )
}

/** Button that creates a form, with its shortcut. */
function CreateFormAction({ onCreate }: { onCreate: () => void }) {
  useShortcut('n', 'Create a form', onCreate)
  return <HeaderAction label="Create Form" icon={<AddRegular />} onClick={onCreate} />
}

import type { Shared } from "../../provider/core/language/stepInput";
import { SharedList } from "../../provider/core/requests/shared/sharedList";

/** What a read shares that is not the first of its list, so that the list is asked for: one of its own each time. */
export const BY_LIST: Shared = {
  kept(_, make) {
    const made = make();
    if (made instanceof SharedList) void made.find("another object", new AbortController().signal);
    return made;
  },
};

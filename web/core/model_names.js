/* model_names - what may be said of a model in a link or a tag: the id of one in the menu, a
 * repository of the Hugging Face hub (org/name, or org/name@revision), or the address of a folder.
 * Pure.
 *
 *     mini-en    google/bert_uncased_L-2_H-128_A-2    org/name@refs/pr/1    https://example.org/models/bert/
 *
 * No id has a slash. '.' and '..' are folders and no names. An address has no user name in it.
 */
const ID = /^(?!\.{1,2}$)[\w.-]{0,64}$/;
const HUB = /^(\w[\w.-]{0,95}\/\w[\w.-]{0,95})(?:@(?!.*\.\.)(\w[\w./-]{0,199}))?$/;
const ADDRESS = /^https?:\/\/[^\s/?#@\\]+([/?#]\S*)?$/;
const MOST = 2000;

/** Of the menu; '' is its first. @param {string} text */
export const isId = text => ID.test(text);

/** @param {unknown} text */
export const isModel = text =>
    typeof text === 'string' &&
    text.length <= MOST &&
    (isId(text) || HUB.test(text) || ADDRESS.test(text));

/** The address of a model's folder, null for an id. @param {string} text that isModel takes */
export function addressOf(text) {
    const [, repository, revision = 'main'] = HUB.exec(text) ?? [];
    if (repository)
        return `https://huggingface.co/${repository}/resolve/${encodeURIComponent(revision)}/`;
    return isId(text) ? null : text;
}

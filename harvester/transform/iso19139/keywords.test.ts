import { describe } from "vitest";
import { code, iso, string, table } from "../../../tests/setup/iso-record.js";

describe("what about", () => {
  const group = (keywords: string, thesaurus = "", type = "") =>
    `<gmd:descriptiveKeywords><gmd:MD_Keywords>${keywords}${type}${thesaurus}</gmd:MD_Keywords></gmd:descriptiveKeywords>`;
  const gcmd = `<gmd:thesaurusName><gmd:CI_Citation>${string("title", "GCMD")}</gmd:CI_Citation></gmd:thesaurusName>`;
  const type = code("type", "MD_KeywordTypeCode", "theme");
  table([
    {
      name: "a keyword is never split",
      given: iso({ identification: group(string("keyword", "OCEANS &gt; Tides, waves; swell"), gcmd, type) }),
      expect: { keywords: [{ value: "OCEANS > Tides, waves; swell", thesaurus: "GCMD", type: "theme" }] },
    },
    {
      name: "an Anchor's address, repeats once within a thesaurus",
      given: iso({
        identification:
          group(
            '<gmd:keyword><gmx:Anchor xlink:href="http://x/k">tide</gmx:Anchor></gmd:keyword>' +
              string("keyword", "tide"),
          ) +
          group(string("keyword", "tide"), gcmd) +
          group(string("keyword", " ") + '<gmd:keyword gco:nilReason="missing"/>'),
      }),
      expect: {
        keywords: [
          { value: "tide", href: "http://x/k" },
          { value: "tide", thesaurus: "GCMD" },
        ],
      },
    },
    {
      name: "topics are element text",
      given: iso({
        identification:
          "<gmd:topicCategory><gmd:MD_TopicCategoryCode> oceans </gmd:MD_TopicCategoryCode></gmd:topicCategory>" +
          code("topicCategory", "MD_TopicCategoryCode", "biota"),
      }),
      expect: { topics: ["oceans", "biota"] },
    },
  ]);
});

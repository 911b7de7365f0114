/** schemas/oai-pmh.xsd: answers as the specification of OAI-PMH 2.0 shows them, and what may not pass. */
import { describe, expect, it } from "vitest";
import { compiled, refusals, shippedSchemas } from "./shipped-policy.js";

const envelope = compiled(shippedSchemas, "schemas/oai-pmh.xsd");

function answer(
  content: string,
  request = '<request verb="Identify">https://a.example/oai</request>',
): string {
  return `<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><responseDate>2021-03-04T05:06:07Z</responseDate>${request}${content}</OAI-PMH>`;
}

const identify = `<Identify><repositoryName>R</repositoryName><baseURL>https://a.example/oai</baseURL><protocolVersion>2.0</protocolVersion>
  <adminEmail>a@a.example</adminEmail><earliestDatestamp>1990-02-01T12:00:00Z</earliestDatestamp><deletedRecord>transient</deletedRecord>
  <granularity>YYYY-MM-DDThh:mm:ssZ</granularity><compression>gzip</compression><description><toolkit xmlns="urn:t"/></description></Identify>`;
const header = (inside = "") =>
  `<header${inside}><identifier>oai:a.example:1</identifier><datestamp>2021-01-02</datestamp><setSpec>math:algebra</setSpec></header>`;
const record = `<record>${header()}<metadata><any xmlns="urn:any" a="1"><b/></any></metadata><about><rights xmlns="urn:r"/></about></record>`;

describe("answers the envelope accepts", () => {
  it.each([
    { name: "Identify", xml: answer(identify) },
    {
      name: "ListMetadataFormats",
      xml: answer(
        "<ListMetadataFormats><metadataFormat><metadataPrefix>iso19139</metadataPrefix><schema>https://a.example/s.xsd</schema><metadataNamespace>http://www.isotc211.org/2005/gmd</metadataNamespace></metadataFormat></ListMetadataFormats>",
      ),
    },
    {
      name: "ListSets with a description and a token",
      xml: answer(
        "<ListSets><set><setSpec>a</setSpec><setName>A</setName><setDescription><d xmlns='urn:d'/></setDescription></set><resumptionToken>t</resumptionToken></ListSets>",
      ),
    },
    { name: "GetRecord", xml: answer(`<GetRecord>${record}</GetRecord>`) },
    {
      name: "ListRecords with a deleted record and a token with all attributes",
      xml: answer(
        `<ListRecords>${record}<record>${header(' status="deleted"')}</record><resumptionToken expirationDate="2021-03-05T00:00:00Z" completeListSize="70" cursor="0">t|1</resumptionToken></ListRecords>`,
      ),
    },
    {
      name: "ListIdentifiers with an empty token",
      xml: answer(`<ListIdentifiers>${header()}<resumptionToken/></ListIdentifiers>`),
    },
    {
      name: "two errors",
      xml: answer(
        '<error code="badArgument">from</error><error code="badArgument">until</error>',
        "<request>https://a.example/oai</request>",
      ),
    },
    { name: "noRecordsMatch", xml: answer('<error code="noRecordsMatch"/>') },
    {
      name: "a request with all arguments",
      xml: answer(
        `<ListIdentifiers>${header()}</ListIdentifiers>`,
        '<request verb="ListIdentifiers" from="2021-01-01" until="2021-02-01T00:00:00Z" set="a:b" metadataPrefix="oai_dc">https://a.example/oai</request>',
      ),
    },
  ])("$name", ({ xml }) => {
    expect(refusals(envelope, xml)).toEqual([]);
  });
});

describe("answers the envelope refuses", () => {
  it.each([
    { name: "no responseDate", xml: answer(identify).replace(/<responseDate>.*<\/responseDate>/, "") },
    { name: "a responseDate in local time", xml: answer(identify).replace("05:06:07Z", "05:06:07+01:00") },
    { name: "an answer and an error", xml: answer(`${identify}<error code="badVerb"/>`) },
    { name: "an unknown error code", xml: answer('<error code="noRecordMatch"/>') },
    { name: "an error without code", xml: answer("<error>no</error>") },
    {
      name: "an unknown verb",
      xml: answer(identify, '<request verb="ListAll">https://a.example/oai</request>'),
    },
    { name: "protocol version 1.1", xml: answer(identify.replace("2.0", "1.1")) },
    { name: "no adminEmail", xml: answer(identify.replace(/<adminEmail>.*<\/adminEmail>/, "")) },
    { name: "an unknown deletedRecord", xml: answer(identify.replace("transient", "yes")) },
    {
      name: "an unknown granularity",
      xml: answer(identify.replace("YYYY-MM-DDThh:mm:ssZ", "YYYY-MM-DD hh:mm:ss")),
    },
    { name: "an empty list", xml: answer("<ListRecords/>") },
    {
      name: "a datestamp with milliseconds",
      xml: answer(
        `<ListIdentifiers>${header().replace("2021-01-02", "2021-01-02T00:00:00.000Z")}</ListIdentifiers>`,
      ),
    },
    {
      name: "a status that does not exist",
      xml: answer(`<ListIdentifiers>${header(' status="gone"')}</ListIdentifiers>`),
    },
    {
      name: "two elements in metadata",
      xml: answer(
        `<GetRecord>${record.replace("</metadata>", "<c xmlns='urn:any'/></metadata>")}</GetRecord>`,
      ),
    },
    {
      name: "metadata in the namespace of the envelope",
      xml: answer(
        `<GetRecord>${record.replace('<any xmlns="urn:any" a="1"><b/></any>', "<dc/>")}</GetRecord>`,
      ),
    },
    {
      name: "a header after its metadata",
      xml: answer(
        `<GetRecord><record><metadata><a xmlns="urn:a"/></metadata>${header()}</record></GetRecord>`,
      ),
    },
    {
      name: "a completeListSize of zero",
      xml: answer(`<ListIdentifiers>${header()}<resumptionToken completeListSize="0"/></ListIdentifiers>`),
    },
    { name: "another namespace", xml: answer(identify).replace("OAI/2.0/", "OAI/1.1/") },
  ])("$name", ({ xml }) => {
    expect(refusals(envelope, xml)).not.toEqual([]);
  });
});
